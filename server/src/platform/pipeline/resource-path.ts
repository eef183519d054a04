import type { FastifyRequest } from 'fastify'
import type { AnyOperation } from '../operation.ts'

/** What the changes of a request compete for: the computer that sent it, or the resource that its URL begins with. */
export function contendedResource({ path }: AnyOperation, request: FastifyRequest): string | undefined {
  if (request.machine) return `computer ${request.machine.clientId}`
  const [prefix, parameter] = /^[^:]*:(\w+)/.exec(path) ?? []
  if (prefix === undefined || parameter === undefined) return undefined
  return prefix + String((request.params as Record<string, unknown>)[parameter])
}

/** The path of the operation with the parameters of the request filled in. */
export function resourcePath(operation: AnyOperation, request: FastifyRequest): string {
  const params = request.params as Record<string, unknown>
  return operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
