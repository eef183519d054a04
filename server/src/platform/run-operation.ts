import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { isSerializationConflict } from '../database/errors.ts'
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
  const answer = operation.mutates
    ? await change(frame, operation, request)
    : operation.checksCredential
      ? await untilNoRace(() => read(frame, operation, request))
      : await read(frame, operation, request)
  reply.code(answer.status).headers(answer.headers)
  if (answer.body === undefined) return reply.send()
  return reply.type(operation.answerType ?? 'application/json; charset=utf-8').send(answer.body)
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

const attempts = 4

/** For work that leaves nothing behind when it lost a race, so that it can be done again. */
async function untilNoRace<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isSerializationConflict(error) || attempt === attempts) throw error
    }
  }
}

async function change(frame: Frame, operation: AnyOperation, request: FastifyRequest): Promise<StoredAnswer> {
  const { dryRun } = request.query as { dryRun?: boolean }
  const idempotent = dryRun ? undefined : idempotency(frame, operation, request)
  try {
    // A handler has no effect outside its transaction.
    return await untilNoRace(() =>
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
  if (first) return { ...first, headers: { ...first.headers, 'idempotency-replayed': 'true' } }

  const resource = pathOf(operation.changes ?? operation, request)
  if (operation.changes) {
    await lockResource(db, resource)
    const ifMatch = request.headers['if-match']
    if (ifMatch) {
      const { answer } = await perform(frame, operation.changes, request, db)
      requireMatch(ifMatch, etagOf(answer.body ?? '', operation.changes.unversioned))
    }
  }

  const { answer, createdId, concealed } = await perform(frame, operation, request, db)
  if (operation.changes && answer.body && operation.returns[answer.status] === operation.changes.returns[200])
    answer.headers.etag = etagOf(answer.body, operation.changes.unversioned)

  await idempotent?.store(db, answer)
  // The audit trail tells what principals did.
  if (operation.role === 'machine' || operation.role === 'no token') return answer
  const { dryRun: _, ...query } = request.query as Record<string, unknown>
  await appendAuditEntry(db, {
    principal: request.caller.principal,
    operation,
    target: createdId === undefined ? resource : `${resource}/${createdId}`,
    query,
    body: request.body,
    concealed,
    status: answer.status,
    requestId: request.id,
  })
  return answer
}

function idempotency(frame: Frame, operation: AnyOperation, request: FastifyRequest): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || !takesIdempotencyKey(operation)) return undefined
  const { params, query, body } = request
  const content = { operation: operation.id, params, query, body }
  return idempotentRequest(frame.services.keys, String(key), request.caller.principal.id, content)
}

type Handled = { result: unknown; headers: Record<string, string>; concealed: string[][] }

async function handle(frame: Frame, operation: AnyOperation, request: FastifyRequest, db: Database): Promise<Handled> {
  const headers: Record<string, string> = {}
  const concealed: string[][] = []
  const call = {
    params: request.params,
    query: request.query,
    body: request.body,
    db,
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
): Promise<Performed> {
  const { result, headers, concealed } = await handle(frame, operation, request, db)
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
