import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConnectedDatabase } from '../database/connect.ts'
import type { LaneName } from '../database/lanes.ts'
import { runTraced, type TracedWork } from '../database/traced-work.ts'
import type { AuditTrail } from './audit-trail.ts'
import type { Authenticate } from './authentication/authenticate.ts'
import type { Caller } from './authentication/caller.ts'
import { type OpenAccess, openAccess } from './authentication/open-access.ts'
import { requireAccess } from './authentication/require-access.ts'
import { unauthorized } from './general-problems.ts'
import { countRequest } from './http/count-request.ts'
import { answerOtherMethods } from './http/other-methods.ts'
import { showDeprecation } from './http/show-deprecation.ts'
import { addressKey } from './load/rate-limit.ts'
import { type AnyOperation, isForPrincipals, type Machine } from './operation.ts'
import type { ChangeGuard, OperationContext } from './pipeline/run-context.ts'
import { runOperation } from './pipeline/run-operation.ts'
import type { Services } from './services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for operations that principals call with a token or a session. */
    caller: Caller
    /** Set for operations that machines call. */
    machine: Machine
    /** Set for operations that need a token, a session or the credential of a machine. */
    access: OpenAccess | undefined
  }
  interface FastifyContextConfig {
    operation?: AnyOperation
  }
}

export type AuthenticateMachine = (request: FastifyRequest, operation: AnyOperation) => Promise<Machine>

export type MountParts = {
  lanes: ConnectedDatabase['lanes']
  services: Services
  auditTrail: AuditTrail
  changeGuard: ChangeGuard
  /** The lane of all operations that do not need another. By default, it depends on what the operation does. */
  lane?: LaneName
  authenticate: Authenticate
  /** Required if one of the operations is called by machines. */
  authenticateMachine?: AuthenticateMachine
}

/** Adds a route for every operation: rate limit, authentication and role first, then the request pipeline. */
export function mount(app: FastifyInstance, operations: readonly AnyOperation[], parts: MountParts): void {
  const versionedReads = new Set(operations.flatMap(({ changes }) => changes ?? []))
  for (const operation of operations) {
    const { db } = parts.lanes[laneOf(operation, parts.lane)]
    const { services, auditTrail, changeGuard } = parts
    const onSend = showDeprecation(operation, operations)
    const context: OperationContext = { db, services, operations, versionedReads, auditTrail, changeGuard }
    app.route({
      method: operation.method,
      url: operation.path,
      config: { operation },
      ...(operation.bodyLimit && {
        bodyLimit: Math.min(operation.bodyLimit, parts.services.configuration.bodyLimitBytes),
      }),
      // Before the body is read: a caller without the role must not cost its transfer and parsing.
      onRequest: async (request: FastifyRequest) => {
        const rateLimit = operation.countsRequests ? undefined : operation.rateLimit
        if (rateLimit) await countRequest(request, rateLimit(parts.services).count([addressKey(request.ip)]))
        if (operation.role === 'no token') return
        if (operation.role === 'machine') {
          if (!parts.authenticateMachine) throw new Error(`${operation.id} is mounted without authenticateMachine`)
          const { authenticateMachine } = parts
          request.machine = await authenticateMachine(request, operation)
          request.access = openAccess(async () => void (await authenticateMachine(request, operation)))
          return
        }
        request.caller = await parts.authenticate(request)
        requireAccess(request.caller.principal, operation)
        request.access = openAccess(() => requireCaller(request, operation))
      },
      ...(onSend && { onSend }),
      handler: (request: FastifyRequest, reply: FastifyReply) =>
        runTraced(tracedRequest(request, operation, services), () =>
          runOperation({ context, operation, request }, reply),
        ),
    })
  }
  answerOtherMethods(app, operations)
}

/** Machines ask so often that only a trace that they have sent themselves is worth a message to the database. */
function tracedRequest({ trace }: FastifyRequest, operation: AnyOperation, { tracing }: Services): TracedWork {
  const isStored = isForPrincipals(operation) || trace.parentSpanId !== undefined
  return { trace, isStored, recordSpan: tracing?.recordSpan }
}

/** Throws unless the caller of an open request still has its role, and takes over the roles that it has now. */
async function requireCaller(request: FastifyRequest, operation: AnyOperation): Promise<void> {
  const principal = await request.caller.findPrincipal()
  if (!principal) throw unauthorized()
  requireAccess(principal, operation)
  request.caller = { ...request.caller, principal }
}

/** The lane whose connections the operation uses. `channelLane` is that of the operations of a channel. */
function laneOf(operation: AnyOperation, channelLane?: LaneName): LaneName {
  switch (operation.execution.kind) {
    case 'Contact':
      return 'contacts'
    case 'LongChange':
    case 'StepwiseChange':
      return 'longWork'
    case 'FleetRead':
      return 'fleetReads'
    case 'Upload':
      return 'writes'
  }
  if (channelLane) return channelLane
  if (operation.role === 'no token') return 'signIn'
  return operation.mutates ? 'writes' : 'reads'
}
