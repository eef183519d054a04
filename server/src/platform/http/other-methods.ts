import type { FastifyInstance } from 'fastify'
import { methodNotAllowed } from '../general-problems.ts'
import type { AnyOperation } from '../operation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The path of operations, none of which has the method of this request. */
    pathOfOtherMethods?: string
  }
}

type OperationPath = {
  path: string
  segments: readonly string[]
  missing: readonly Method[]
  allow: string
  optionsHeaders: Record<string, string>
}
type Method = (typeof methods)[number]

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * On every path with an operation, answers OPTIONS, and 405 instead of 404 to the methods that it does not have. Routes for all
 * of them would take as long to add as those of the operations, so these requests are recognised when no route is found.
 */
export function answerOtherMethods(app: FastifyInstance, operations: readonly AnyOperation[]): void {
  const paths = toPaths(operations)
  app.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions, url } = request
    // The console has routes for everything below a folder.
    if (routeOptions.url !== undefined && !routeOptions.url.endsWith('*')) return done()
    const segments = toSegments(url)
    const found = paths.find((path) => matches(path.segments, segments))
    if (!found || !['OPTIONS', ...found.missing].includes(method)) return done()
    request.pathOfOtherMethods = found.path
    if (method !== 'OPTIONS') return done(methodNotAllowed().withHeaders({ allow: found.allow }))
    reply
      .code(204)
      .headers({ allow: found.allow, ...found.optionsHeaders })
      .send()
  })
  for (const { path, segments, missing, allow } of paths) {
    // For these, a route is found: the one of an operation that has a parameter in place of a segment.
    const others = paths.filter((other) => other.path !== path && matches(other.segments, segments))
    const method = missing.filter((name) => others.some((other) => !other.missing.includes(name)))
    if (method.length === 0) continue
    const refuse = async () => {
      throw methodNotAllowed().withHeaders({ allow })
    }
    app.route({ method, url: path, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
  }
}

/** As in the router, a path with fewer parameters, or with later ones, comes first. */
function toPaths(operations: readonly AnyOperation[]): OperationPath[] {
  const paths = [...Map.groupBy(operations, ({ path }) => path)].map(([path, sharing]) => {
    const taken = new Set<string>(sharing.map(({ method }) => method))
    const allow = [
      ...methods.filter((method) => taken.has(method)),
      ...(taken.has('GET') ? ['HEAD'] : []),
      'OPTIONS',
    ].join(', ')
    const optionsHeaders = Object.assign({}, ...sharing.map((operation) => operation.optionsHeaders)) as object
    return {
      path,
      segments: path.split('/'),
      missing: methods.filter((method) => !taken.has(method)),
      allow,
      optionsHeaders: optionsHeaders as Record<string, string>,
    }
  })
  const order = new Map(paths.map(({ path }) => [path, path.replaceAll(/:\w+/g, '\uffff')]))
  return paths.toSorted((a, b) => ((order.get(a.path) ?? '') < (order.get(b.path) ?? '') ? -1 : 1))
}

/** The router ignores routes with longer parameters. */
const maxParameterLength = 255

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) =>
      part.startsWith(':') ? (segments[at] ?? '').length <= maxParameterLength : part === segments[at],
    )
  )
}

function toSegments(url: string): string[] {
  const [path = ''] = url.split(/[?#]/, 1)
  try {
    return decodeURI(path).split('/')
  } catch {
    // No route has a path that cannot be decoded.
    return []
  }
}
