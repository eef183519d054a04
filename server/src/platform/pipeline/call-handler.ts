import fastJsonStringify from 'fast-json-stringify'
import type { Database } from '../../database/connect.ts'
import { forbidden, invalidRequest, unauthorized } from '../general-problems.ts'
import { Answer, type AnyOperation, type Call } from '../operation.ts'
import { Problem } from '../problem.ts'
import type { TSchema } from '../schema.ts'
import type { Stepping } from '../steps.ts'
import type { FinishedAnswer, OperationRun } from './run-context.ts'

type HandlerResult = {
  /** What the handler returned. */
  result: unknown
  headers: Record<string, string>
  /** Paths into the request body that the audit trail must not show. */
  concealed: string[][]
}

/** Calls the handler of the operation on a database handle: the pool, a connection or an open transaction. */
export async function callHandler(
  { context, operation, request, approval, countRemovals }: OperationRun,
  db: Database,
  stepping?: Stepping,
): Promise<HandlerResult> {
  await request.access?.requireIfWaited()
  const headers: Record<string, string> = {}
  const concealed: string[][] = []
  const call = {
    params: request.params,
    query: request.query,
    body: request.body,
    db,
    ...stepping,
    caller: request.caller,
    isDryRun: (request.query as { dryRun?: boolean }).dryRun === true,
    ...(approval && { approvedComputerIds: approval.computerIds }),
    ...(approval?.content && { approvedContent: approval.content }),
    ...(operation.removals && { countRemovals }),
    machine: request.machine,
    services: context.services,
    operations: context.operations,
    request,
    setHeader(name: string, value: string) {
      headers[name.toLowerCase()] = value
    },
    conceal(...path: string[]) {
      concealed.push(path)
    },
  } as Call
  const result: unknown = await operation.handle(call).catch((error: unknown) => {
    throw isUndeclared(operation, error) ? undeclaredProblem(operation, error) : error
  })
  return { result, headers, concealed }
}

export type HandlerOutcome = {
  answer: FinishedAnswer
  /** The id in the answer of a POST, which completes the path of what it created. */
  createdId: string | number | undefined
  concealed: string[][]
}

/** Calls the handler and serialises what it returns by the schema of its status. */
export async function answerWithHandler(run: OperationRun, db: Database, stepping?: Stepping): Promise<HandlerOutcome> {
  const { operation } = run
  const { result, headers, concealed } = await callHandler(run, db, stepping)
  const [status, value] = result instanceof Answer ? [result.status, result.body] : [onlyStatus(operation), result]
  const schema = operation.returns[status]
  if (schema === undefined) throw new Error(`${operation.id} answered with the undeclared status ${status}`)
  if (schema === null) return { answer: { status, headers }, createdId: undefined, concealed }
  const body = operation.answerType ? String(value) : serialize(schema, value)
  const createdId = operation.method === 'POST' ? (value as { id?: string | number } | null)?.id : undefined
  return { answer: { status, headers, body }, createdId, concealed }
}

/** Clients cannot know a problem that the operation does not list, so raising one is a fault. 400 needs no listing. */
function isUndeclared(operation: AnyOperation, error: unknown): error is Problem {
  if (!(error instanceof Problem) || error.kind === invalidRequest) return false
  const { kind } = operation.execution
  if ((kind === 'Contact' || kind === 'QuietConnection') && error.kind === unauthorized) return false
  // The right of the caller is checked again before each step, and while bytes arrive.
  if ((kind === 'StepwiseChange' || kind === 'Upload') && (error.kind === unauthorized || error.kind === forbidden))
    return false
  return !operation.problems.includes(error.kind)
}

function undeclaredProblem(operation: AnyOperation, problem: Problem): Error {
  return new Error(`${operation.id} raised the undeclared problem ${problem.kind.code}`, { cause: problem })
}

function onlyStatus(operation: AnyOperation): number {
  const [status, ...others] = Object.keys(operation.returns).map(Number)
  if (status === undefined || others.length > 0)
    throw new Error(`${operation.id} declares several statuses; its handler must choose one with Answer`)
  return status
}

const compiled = new WeakMap<TSchema, (value: unknown) => string>()

/** Formats an answer as JSON with exactly the properties of its schema. Serialisers are compiled on first use. */
function serialize(schema: TSchema, value: unknown): string {
  let stringify = compiled.get(schema)
  if (!stringify) {
    stringify = fastJsonStringify(schema as object as fastJsonStringify.Schema)
    compiled.set(schema, stringify)
  }
  return stringify(value)
}
