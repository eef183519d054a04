import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyOperation } from '../operation.ts'

/**
 * Adds headers to every answer, also to one that refuses the request: Deprecation (RFC 9745), Sunset (RFC 8594), and a link
 * to what takes its place. Returns undefined for an operation that is not deprecated.
 */
export function showDeprecation(operation: AnyOperation, operations: readonly AnyOperation[]) {
  const { deprecated } = operation
  if (!deprecated) return undefined
  const { since, sunset } = deprecated
  const { path } = getSuccessor(operation, operations)
  const headers = {
    deprecation: `@${Date.parse(since) / 1_000}`,
    ...(sunset && { sunset: new Date(sunset).toUTCString() }),
  }
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, sent: unknown) => void,
  ) => {
    const successor = fillPath(path, request.params)
    // A page of a list has a link to the next one already.
    const links = [reply.getHeader('link') ?? [], successor ? `<${successor}>; rel="successor-version"` : []].flat()
    reply.headers({ ...headers, ...(links.length > 0 && { link: links.join(', ') }) })
    done(null, payload)
  }
}

/** The path with the parameters of the request. Undefined if it has one that the request has not. */
function fillPath(path: string, parameters: unknown): string | undefined {
  const known = new Map(Object.entries(Object(parameters) as Record<string, unknown>))
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (!names.every((name) => known.has(name))) return undefined
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(known.get(name))))
}

function getSuccessor({ id, deprecated }: AnyOperation, operations: readonly AnyOperation[]): AnyOperation {
  const successor = operations.find((operation) => operation.id === deprecated?.use)
  if (!successor) throw new Error(`${id} is deprecated in favour of ${deprecated?.use}, which does not exist`)
  return successor
}
