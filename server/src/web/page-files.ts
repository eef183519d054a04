import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { routeNotFound } from '../platform/general-problems.ts'
import { pagesNotBuilt } from './problems.ts'

const noncePlaceholder = '__CSP_NONCE__'

// Nothing is loaded from elsewhere, nothing runs that is not a file of the pages, and no other page shows them.
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

const pageHeaders = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

// Names with dots at their beginning are neither built nor served.
const filePath = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.\w+$/

/** Serves what the build of the pages has left in the folder, and looks there at each request. */
export async function servePageFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    index: false,
    suppressWarning: true,
    // Only once there is a file: what is missing may be there tomorrow.
    setHeaders(reply, path) {
      // Assets have a hash of their content in their names.
      const isAsset = path.startsWith(join(folder, 'assets/'))
      reply.headers({ ...pageHeaders, 'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache' })
    },
  })
  app.get('/admin', (_request, reply) => sendIndex(reply, folder))
  app.get<{ Params: { '*': string } }>('/admin/*', async ({ params }, reply) => {
    const path = params['*']
    const isFile = path.split('/').at(-1)?.includes('.') || path.startsWith('assets/')
    if (!isFile || path === 'index.html') return sendIndex(reply, folder)
    if (!filePath.test(path)) throw routeNotFound()
    return reply.sendFile(path)
  })
}

async function sendIndex(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw pagesNotBuilt()
    throw error
  })
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({ ...pageHeaders, 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy(nonce) })
    .type('text/html; charset=utf-8')
    .send(html.replaceAll(noncePlaceholder, nonce))
}
