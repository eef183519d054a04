import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { appendAuditEntry } from './audit.ts'
import { etagOf, lockResource, matches, requireMatch } from './etag.ts'
import { invalidRequest, unauthorized } from './general-problems.ts'
import { type FileToSend, sendFile } from './http/send-file.ts'
import { type IdempotentRequest, idempotentRequest, type StoredAnswer } from './idempotency.ts'
import { Answer, type AnyOperation, type Call, fileType, takesIdempotencyKey } from './operation.ts'
import { Problem } from './problem.ts'
import { checkRequest } from './request-schema.ts'
import { serialize } from './serialization.ts'
import type { Services } from './services.ts'
import { retryConflicts, type Step, savepointSteps, transactionSteps } from './steps.ts'

export type Frame = {
  db: Database
  services: Services
  /** The reads that some other operation changes: their answers carry an ETag. */
  versionedReads: ReadonlySet<AnyOperation>
}

/** Everything between the role check and the answer, the same for all operations. */
export async function runOperation(
  frame: Frame,
  operation: AnyOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  checkRequest(operation, request)
  // A body that nothing describes has not been checked, and goes no further.
  if (!operation.body) request.body = undefined
  if (operation.answerType === fileType) {
    const { result } = await handle(frame, operation, request, frame.db)
    return sendFile(request, reply, result as FileToSend)
  }
  const answer = await answerTo(frame, operation, request)
  reply.code(answer.status).headers(answer.headers)
  if (answer.body === undefined) return reply.send()
  return reply.type(operation.answerType ?? 'application/json; charset=utf-8').send(answer.body)
}

function answerTo(frame: Frame, operation: AnyOperation, request: FastifyRequest): Promise<StoredAnswer> {
  if (operation.mutates) return change(frame, operation, request)
  const run = () => read(frame, operation, request)
  if (operation.checksCredential) return retryConflicts(run)
  return operation.fleetWide ? frame.services.fleetReads.run(run) : run()
}

async function read(frame: Frame, operation: AnyOperation, request: FastifyRequest): Promise<StoredAnswer> {
  const { answer } = await perform(frame, operation, request, frame.db)
  if (!frame.versionedReads.has(operation) || answer.body === undefined) return answer
  const etag = etagOf(answer.body, operation.unversioned)
  const ifNoneMatch = request.headers['if-none-match']
  // Where the tag does not cover everything, only the resource itself tells whether the client's copy is current.
  if (ifNoneMatch && !operation.unversioned && matches(ifNoneMatch, etag)) return { status: 304, headers: { etag } }
  return { ...answer, headers: { ...answer.headers, etag } }
}

/** Carries the answer out of a transaction that must not be kept. */
class RolledBack extends Error {
  readonly answer: StoredAnswer

  constructor(answer: StoredAnswer) {
    super('rolled back')
    this.answer = answer
  }
}

async function change(frame: Frame, operation: AnyOperation, request: FastifyRequest): Promise<StoredAnswer> {
  const { dryRun } = request.query as { dryRun?: boolean }
  const idempotent = dryRun ? undefined : idempotency(frame, operation, request)
  if (operation.stepwise && !dryRun) return changeStepwise(frame, operation, request, idempotent)
  try {
    return await retryConflicts(() =>
      frame.db.transaction().execute(async (db) => {
        const answer = await changeOnce(frame, operation, request, db, idempotent)
        if (!dryRun) return answer
        throw new RolledBack({ ...answer, headers: { ...answer.headers, 'muster-dry-run': 'true' } })
      }),
    )
  } catch (error) {
    if (error instanceof RolledBack) return error.answer
    throw error
  }
}

async function changeOnce(
  frame: Frame,
  operation: AnyOperation,
  request: FastifyRequest,
  db: Database,
  idempotent: IdempotentRequest | undefined,
): Promise<StoredAnswer> {
  const first = await idempotent?.replay(db)
  if (first) return replayed(first)

  const resource = pathOf(operation.changes ?? operation, request)
  if (operation.changes) {
    await lockResource(db, resource)
    const ifMatch = request.headers['if-match']
    if (ifMatch) {
      const { answer } = await perform(frame, operation.changes, request, db)
      requireMatch(ifMatch, etagOf(answer.body ?? '', operation.changes.unversioned))
    }
  }

  const step = operation.stepwise ? savepointSteps(db, auditStep(operation, request)) : undefined
  const performed = await perform(frame, operation, request, db, step)
  const { answer } = performed
  if (operation.changes && answer.body && operation.returns[answer.status] === operation.changes.returns[200])
    answer.headers.etag = etagOf(answer.body, operation.changes.unversioned)
  await record(operation, request, db, performed, idempotent)
  return answer
}

/** One connection for all steps, so that requests in the middle of theirs never wait for each other's connections. */
function changeStepwise(
  frame: Frame,
  operation: AnyOperation,
  request: FastifyRequest,
  idempotent: IdempotentRequest | undefined,
): Promise<StoredAnswer> {
  return frame.db.connection().execute(async (connection) => {
    const work = async () => {
      const first = await idempotent?.find(connection)
      if (first) return replayed(first)
      const step = transactionSteps(connection, auditStep(operation, request))
      const performed = await perform(frame, operation, request, connection, step)
      await connection.transaction().execute(async (db) => {
        await idempotent?.replay(db)
        await record(operation, request, db, performed, idempotent)
      })
      return performed.answer
    }
    return idempotent ? idempotent.alone(connection, work) : work()
  })
}

function replayed(first: StoredAnswer): StoredAnswer {
  return { ...first, headers: { ...first.headers, 'idempotency-replayed': 'true' } }
}

/** What is left of a change besides the change itself. */
async function record(
  operation: AnyOperation,
  request: FastifyRequest,
  db: Database,
  { answer, createdId, concealed }: Performed,
  idempotent: IdempotentRequest | undefined,
): Promise<void> {
  await idempotent?.store(db, answer)
  // The audit trail tells what principals did.
  if (operation.role === 'machine' || operation.role === 'no token') return
  const resource = pathOf(operation.changes ?? operation, request)
  await appendAuditEntry(db, {
    ...auditedRequest(operation, request),
    target: createdId === undefined ? resource : `${resource}/${createdId}`,
    concealed,
    status: answer.status,
  })
}

function auditStep(operation: AnyOperation, request: FastifyRequest) {
  return (db: Database, target: string) =>
    appendAuditEntry(db, { ...auditedRequest(operation, request), target, concealed: [], status: 200 })
}

function auditedRequest(operation: AnyOperation, { caller, query, body, id }: FastifyRequest) {
  const { dryRun: _, ...filters } = query as Record<string, unknown>
  return { principal: caller.principal, operation, query: filters, body, requestId: id }
}

function idempotency(frame: Frame, operation: AnyOperation, request: FastifyRequest): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || !takesIdempotencyKey(operation)) return undefined
  const { params, query, body } = request
  const content = { operation: operation.id, params, query, body }
  return idempotentRequest(frame.services.keys, String(key), request.caller.principal.id, content)
}

type Handled = { result: unknown; headers: Record<string, string>; concealed: string[][] }

async function handle(
  frame: Frame,
  operation: AnyOperation,
  request: FastifyRequest,
  db: Database,
  step?: Step,
): Promise<Handled> {
  const headers: Record<string, string> = {}
  const concealed: string[][] = []
  const call = {
    params: request.params,
    query: request.query,
    body: request.body,
    db,
    step,
    caller: request.caller,
    machine: request.machine,
    services: frame.services,
    request,
    setHeader(name: string, value: string) {
      headers[name.toLowerCase()] = value
    },
    conceal(...path: string[]) {
      concealed.push(path)
    },
  } as Call
  const result: unknown = await operation.handle(call).catch((error: unknown) => {
    throw undeclared(operation, error) ?? error
  })
  return { result, headers, concealed }
}

type Performed = { answer: StoredAnswer; createdId: string | number | undefined; concealed: string[][] }

async function perform(
  frame: Frame,
  operation: AnyOperation,
  request: FastifyRequest,
  db: Database,
  step?: Step,
): Promise<Performed> {
  const { result, headers, concealed } = await handle(frame, operation, request, db, step)
  const [status, value] = result instanceof Answer ? [result.status, result.body] : [onlyStatus(operation), result]
  const schema = operation.returns[status]
  if (schema === undefined) throw new Error(`${operation.id} answered with the undeclared status ${status}`)
  if (schema === null) return { answer: { status, headers }, createdId: undefined, concealed }
  const body = operation.answerType ? String(value) : serialize(schema, value)
  const createdId = operation.method === 'POST' ? (value as { id?: string | number } | null)?.id : undefined
  return { answer: { status, headers, body }, createdId, concealed }
}

/** A problem that the operation does not list is unknown to its clients, and so a fault. 400 is possible everywhere. */
function undeclared(operation: AnyOperation, error: unknown): Error | undefined {
  if (!(error instanceof Problem) || error.kind === invalidRequest || operation.problems.includes(error.kind))
    return undefined
  if (operation.checksCredential && error.kind === unauthorized) return undefined
  return new Error(`${operation.id} raised the undeclared problem ${error.kind.code}`, { cause: error })
}

function onlyStatus(operation: AnyOperation): number {
  const [status, ...others] = Object.keys(operation.returns).map(Number)
  if (status === undefined || others.length > 0)
    throw new Error(`${operation.id} declares several statuses; its handler must choose one with Answer`)
  return status
}

function pathOf(operation: AnyOperation, request: FastifyRequest): string {
  const params = request.params as Record<string, unknown>
  return operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
