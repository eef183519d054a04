import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Authenticate, type Caller, requireRole } from './authentication/authenticate.ts'
import { methodNotAllowed, tooManyRequests } from './general-problems.ts'
import type { AnyOperation, Machine } from './operation.ts'
import { type Frame, runOperation } from './run-operation.ts'
import type { Services } from './services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every operation of principals that needs a token or a session. */
    caller: Caller
    /** Set for operations of machines only. */
    machine: Machine
  }
  interface FastifyContextConfig {
    operation?: AnyOperation
  }
}

export type AuthenticateMachine = (request: FastifyRequest, operation: AnyOperation) => Promise<Machine>

/** Makes routes out of declarations. */
export function mount(
  app: FastifyInstance,
  operations: readonly AnyOperation[],
  parts: Omit<Frame, 'versionedReads'> & { authenticate: Authenticate; authenticateMachine?: AuthenticateMachine },
): void {
  const versionedReads = new Set(operations.flatMap(({ changes }) => changes ?? []))
  const frame: Frame = { ...parts, versionedReads }
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: operation.path,
      config: { operation },
      ...(operation.bodyLimit && {
        bodyLimit: Math.min(operation.bodyLimit, parts.services.configuration.bodyLimitBytes),
      }),
      // Before the body is read: who may not call, need not be listened to.
      onRequest: async (request: FastifyRequest) => {
        if (operation.rateLimit) await countRequest(operation.rateLimit, parts.services, request)
        if (operation.role === 'no token') return
        if (operation.role === 'machine') {
          if (!parts.authenticateMachine) throw new Error(`${operation.id} is mounted without a way to know machines`)
          request.machine = await parts.authenticateMachine(request, operation)
          return
        }
        request.caller = await parts.authenticate(request)
        requireRole(request.caller.principal, operation.role)
      },
      handler: (request: FastifyRequest, reply: FastifyReply) => runOperation(frame, operation, request, reply),
    })
  }
  answerOtherMethods(app, operations)
}

async function countRequest(
  rateLimit: NonNullable<AnyOperation['rateLimit']>,
  services: Services,
  { ip }: FastifyRequest,
): Promise<void> {
  const { exceeded, headers } = await rateLimit(services).count([`address ${ip}`])
  if (exceeded) throw tooManyRequests().withHeaders(headers)
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Tells 405 from 404, and answers OPTIONS, for every path that some operation has. */
function answerOtherMethods(app: FastifyInstance, operations: readonly AnyOperation[]): void {
  for (const [path, sharing] of Map.groupBy(operations, ({ path }) => path)) {
    const taken = new Set(sharing.map(({ method }) => method))
    const allow = [
      ...methods.filter((method) => taken.has(method)),
      ...(taken.has('GET') ? ['HEAD'] : []),
      'OPTIONS',
    ].join(', ')
    app.options(path, (_request, reply) => reply.code(204).header('allow', allow).send())
    const others = methods.filter((method) => !taken.has(method))
    if (others.length === 0) continue
    app.route({
      method: others,
      url: path,
      exposeHeadRoute: false,
      onRequest: () => {
        throw methodNotAllowed().withHeaders({ allow })
      },
      handler: () => {},
    })
  }
}
