import type { FastifyRequest } from 'fastify'
import type { AnyOperation } from '../operation.ts'

/** The path of the operation with the parameters of the request filled in. */
export function resourcePath(operation: AnyOperation, request: FastifyRequest): string {
  const params = request.params as Record<string, unknown>
  return operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
