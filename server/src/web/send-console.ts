import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { consoleNotBuilt } from './problems.ts'

const noncePlaceholder = '__CSP_NONCE__'

// Resources come from this origin only, inline scripts do not run, and other pages cannot embed the console.
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

export const pageHeaders = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** Sends the page of the console from the folder, with a nonce of its own. */
export async function sendConsole(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw consoleNotBuilt()
    throw error
  })
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({ ...pageHeaders, 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy(nonce) })
    .type('text/html; charset=utf-8')
    .send(html.replaceAll(noncePlaceholder, nonce))
}
