import { join } from 'node:path'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { routeNotFound } from '../platform/general-problems.ts'
import { pageHeaders, sendConsole } from './send-console.ts'
import { isNavigation } from './unknown-pages.ts'

/** The first segments of the addresses of the console. */
export const consoleSections = [
  'admin',
  'computers',
  'groups',
  'history',
  'infrastructure',
  'issues',
  'package-lines',
  'package-requests',
  'packages',
  'patch-groups',
  'patch-policies',
  'patches',
  'reports',
  'rollouts',
  'software',
  'tasks',
  'variables',
  'vulnerabilities',
]

// Files whose names start with a dot are not part of the build and are not served.
const filePath = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.\w+$/

// Guides have no inline styles, and request nothing.
const helpSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the built console from the folder. The folder is read for each request, so a new build needs no restart. */
export async function serveConsoleFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    index: false,
    suppressWarning: true,
    // Called for existing files only: answers for missing files must not be cached.
    setHeaders(reply, path) {
      // The name of an asset contains a hash of its content.
      const isAsset = path.startsWith(join(folder, 'assets/'))
      reply.headers({ ...pageHeaders, 'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache' })
    },
  })
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    const { '*': path = '' } = request.params as { '*'?: string }
    if (!path.includes('.')) return sendConsole(reply, folder)
    // No page has a dot in its address: somebody looks for a file.
    if (!isNavigation(request)) throw routeNotFound()
    return sendConsole(reply.code(404), folder)
  }
  app.get('/', page)
  for (const section of consoleSections) {
    app.get(`/${section}`, page)
    app.get(`/${section}/*`, page)
  }
  serveHelp(app)
  app.get<{ Params: { '*': string } }>('/assets/*', async ({ params }, reply) => {
    const path = params['*']
    if (!filePath.test(path)) throw routeNotFound()
    return reply.sendFile(`assets/${path}`)
  })
}

/** The guides, as pages that need no session: signing in is one of the things that people look up. */
function serveHelp(app: FastifyInstance): void {
  const index = (_: FastifyRequest, reply: FastifyReply) => reply.redirect('/help/guides/index.html')
  for (const path of ['/help', '/help/', '/help/guides', '/help/guides/']) app.get(path, index)
  app.get<{ Params: { '*': string } }>('/help/*', async ({ params }, reply) => {
    const path = params['*']
    if (!filePath.test(path)) throw routeNotFound()
    return reply.header('content-security-policy', helpSecurityPolicy).sendFile(`help/${path}`)
  })
}
