import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { RawBuilder } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Caller } from './authentication/caller.ts'
import type { QuietStream } from './http/quiet-stream.ts'
import type { FileToSend } from './http/send-file.ts'
import type { RateLimit } from './load/rate-limit.ts'
import type { Deprecation } from './openapi/deprecation.ts'
import { changeKinds, type Execution, type ReadExecution } from './pipeline/execution.ts'
import type { ProblemKind } from './problem.ts'
import type { Access, Role } from './roles.ts'
import { closed, type Static, type TSchema, Type } from './schema.ts'
import type { Services } from './services.ts'
import type { RunParts, Step } from './steps.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A computer that calls with its own credential. What it reports is not audited. */
export type Machine = {
  clientId: number
  /** Hash of the presented secret. Set only if the operation has to check it itself (a `Contact` or `QuietConnection`). */
  secretHash?: Buffer
}

export type Returns = Readonly<Record<number, TSchema | null>>

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers without a body returns nothing.
type BodyOf<R extends Returns> = R[keyof R] extends TSchema ? Static<R[keyof R]> : void

/** What a handler returns to choose the status, if its operation declares several. */
export class Answer<T> {
  readonly status: number
  readonly body: T

  constructor(status: number, body: T) {
    this.status = status
    this.body = body
  }
}

export type Call<P extends TSchema = TSchema, Q extends TSchema = TSchema, B extends TSchema | null = TSchema> = {
  params: Static<P>
  query: Static<Q>
  body: B extends TSchema ? Static<B> : undefined
  /** The open transaction; for reads, the pool; for stepwise operations, the connection of the steps. */
  db: Database
  /** Set for stepwise operations only. */
  step: Step
  /** Set for stepwise operations only. Calls other operations as the caller, in a transaction of their own. */
  runParts: RunParts
  caller: Caller
  /** Whether everything is rolled back after the answer. */
  isDryRun: boolean
  /** The computers for which the request was approved. Set if it exceeded a quota and was approved. */
  approvedComputerIds?: readonly number[]
  /** What the computers may get, as lines of `content`. Undefined: anything. Set for an approved request. */
  approvedContent?: readonly string[]
  /** Set for changes with `removals: 'Published'`. */
  countRemovals: CountRemovals
  /** Set for operations that machines call. */
  machine: Machine
  services: Services
  /** The operations of the same mount, for those that describe or call others. */
  operations: readonly AnyOperation[]
  request: FastifyRequest
  /** Adds a header to the answer. */
  setHeader(name: string, value: string): void
  /** Redacts a property of the body in the audit trail. For secrets that the schema cannot mark as `writeOnly`. */
  conceal(...path: string[]): void
}

/** The validated request, as far as a declaration may depend on it. */
export type RequestParts<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema | null = TSchema,
> = Pick<Call<P, Q, B>, 'params' | 'query' | 'body'>

/**
 * Counts the computers from which a change removes software against the quota of the caller, once the change is made.
 * Returns their ids; null if nothing limits the caller.
 */
export type CountRemovals = (computers: RawBuilder<{ computer_id: number }>) => Promise<readonly number[] | null>

/** Which computers a change affects. They are counted in the transaction of the change. */
export type MassAction<P extends TSchema, Q extends TSchema, B extends TSchema | null> = {
  /** Selects the computers; one may occur several times. */
  computers(request: RequestParts<P, Q, B>): RawBuilder<{ computer_id: number }>
  /**
   * For a change that removes what `computers` looks for: locks it before the count. Other changes are counted once more
   * when they are made.
   */
  lock?(db: Database, request: RequestParts<P, Q, B>): Promise<void>
  /** Selects the groups whose computers are affected, to name them to those who approve the request. */
  groups?(request: RequestParts<P, Q, B>): RawBuilder<{ group_id: string }>
  /**
   * The handler affects no computers but `approvedComputerIds`, if those are set. Without this, an approved request fails if
   * it would affect a computer for which it was not approved.
   */
  restrictsToApproved?: true
}

/** How the service runs the operation. By default, a GET is a `Read` and everything else a `Change`. */
type RouteAndExecution =
  | { route: `GET /${string}`; execution?: ReadExecution }
  | { route: `${Exclude<Method, 'GET'>} /${string}`; execution?: Execution }

export type Declaration<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema | null,
  R extends Returns,
> = RouteAndExecution & {
  /** The operationId; the file has the same name in kebab-case. */
  id: string
  summary: string
  description?: string
  role: Access
  /** A role that suffices instead of `role`, for those who only read what the other one also manages. */
  readerRole?: Role
  /** For an operation that programs call for years: also accepts a metrics token in place of an access token. */
  acceptsMetricsTokens?: true
  /** The roles that callers need as well, for one action that does what otherwise takes two. */
  alsoRequires?: readonly Role[]
  params?: P
  query?: Q
  body?: B
  /** True if the request may have no body at all. */
  bodyOptional?: boolean
  /** Content type of the request body, if it is not JSON. The handler gets bytes as they arrive. */
  bodyType?: 'application/x-www-form-urlencoded' | typeof bytesType
  /** Headers that the handler reads, for the description of the API. */
  headers?: TSchema
  /** Headers of the answer to OPTIONS, with which a protocol describes itself. */
  optionsHeaders?: Readonly<Record<string, string>>
  /** For a protocol whose clients send in headers what is in the body otherwise. Undefined: these headers are missing. */
  bodyFromHeaders?(headers: FastifyRequest['headers']): unknown
  returns: R
  /** Content type of the answer, if it is not JSON. */
  answerType?: `text/plain${string}` | typeof fileType | typeof csvType | typeof eventStreamType
  problems?: readonly ProblemKind[]
  /** The limit against which requests are counted: per address, before anything else happens. */
  rateLimit?: (services: Services) => RateLimit
  /** True if the handler counts the request instead, because the key is part of the body. */
  countsRequests?: true
  /** Maximum body size in bytes, if lower than that of the service. */
  bodyLimit?: number
  /** For the read of a single resource: properties that change without an operation. The ETag does not cover them. */
  unversioned?: readonly string[]
  /** For a change to a single resource: the operation that reads it, whose ETag If-Match must name. */
  changes?: AnyOperation
  /**
   * For a change whose answer shows more than was sent: the operation that reads it. Callers without its role get no body.
   * By default it is `changes`, if the answers of both have the same schema.
   */
  shows?: AnyOperation
  /** For a change that may affect many computers at once. Callers may state how many they expect. */
  massAction?: MassAction<P, Q, B>
  /**
   * For a change that takes something from computers or their users. It counts against the quota of the caller: once per
   * computer of the mass action, otherwise once.
   */
  destructive?: boolean | ((request: RequestParts<P, Q, B>) => boolean)
  /**
   * For a change that can remove software from computers. `Published`: the handler makes work due, and counts the computers
   * with `countRemovals`. `Declared`: a destructive change after which a later activation removes software. The caller is
   * not charged again if it activates the same computers within the hour.
   */
  removals?: 'Published' | 'Declared'
  /**
   * For a change that gives computers what is assigned to them: selects that, as lines that people can read. If it differs
   * from what a request would have given when it was made, the approved request fails.
   */
  content?(request: RequestParts<P, Q, B>, approvedComputerIds?: readonly number[]): RawBuilder<{ line: string }>
  /** Set for an operation that will be removed. Answers say so in their headers. */
  deprecated?: Deprecation
  /** True if the operation is not part of the contract. */
  extension?: boolean
  handle(call: Call<P, Q, B>): Promise<BodyOf<R> | Answer<BodyOf<R>>>
}

export type Operation<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema | null = TSchema | null,
  R extends Returns = Returns,
> = Omit<Declaration<P, Q, B, R>, 'params' | 'query' | 'body' | 'problems' | 'execution'> & {
  method: Method
  path: string
  params: P
  query: Q
  body: B
  problems: readonly ProblemKind[]
  execution: Execution
  mutates: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a list of operations loses the types of each; `call` restores them.
export type AnyOperation = Operation<any, any, any, any>

const NoParameters = closed({})

export function operation<
  P extends TSchema = typeof NoParameters,
  Q extends TSchema = typeof NoParameters,
  B extends TSchema | null = null,
  R extends Returns = Returns,
>(declaration: Declaration<P, Q, B, R>): Operation<P, Q, B, R> {
  const [method, path] = declaration.route.split(' ') as [Method, string]
  const execution = declaration.execution ?? { kind: method === 'GET' ? 'Read' : 'Change' }
  return {
    ...declaration,
    method,
    path,
    params: declaration.params ?? (NoParameters as TSchema as P),
    query: declaration.query ?? (NoParameters as TSchema as Q),
    body: declaration.body ?? (null as B),
    problems: declaration.problems ?? [],
    execution,
    mutates: changeKinds.includes(execution.kind),
  }
}

export const ok = <S extends TSchema>(schema: S) => ({ 200: schema }) as const
export const okEmpty = { 200: null } as const
export const created = <S extends TSchema>(schema: S) => ({ 201: schema }) as const
export const accepted = <S extends TSchema>(schema: S) => ({ 202: schema }) as const
export const noContent = { 204: null } as const

/** Content type of operations that answer with a file, of which callers may request a range of bytes. */
export const fileType = 'application/octet-stream'

const FileContent = Type.Unsafe<FileToSend>({ type: 'string', contentMediaType: fileType, examples: ['Hello!'] })
export const fileContent = { 200: FileContent, 206: FileContent } as const

/** Content type of operations that receive a part of a file, as tus defines it. */
export const bytesType = 'application/offset+octet-stream'

export const BytesBody = Type.Unsafe<Readable>({ type: 'string', contentMediaType: bytesType, examples: ['Hello!'] })

/** Content type of operations that answer with lines of comma-separated values, which are sent as they are read. */
export const csvType = 'text/csv; charset=utf-8'

const CsvContent = Type.Unsafe<AsyncIterable<string>>({
  type: 'string',
  contentMediaType: 'text/csv',
  examples: ['id,hostname\r\n17,pc-0017\r\n'],
})
export const csvContent = { 200: CsvContent } as const

/** Content type of operations that answer with a stream of events until the caller or the service ends it. */
export const eventStreamType = 'text/event-stream'

export const eventStream = {
  200: Type.Unsafe<Readable>({
    type: 'string',
    contentMediaType: eventStreamType,
    examples: ['id: 1042\nevent: muster.computer.enrolled\ndata: {}\n\n'],
  }),
} as const

/** The same for a connection that says nothing for hours, and then a word. */
export const quietStream = {
  200: Type.Unsafe<QuietStream | Readable>({
    type: 'string',
    contentMediaType: eventStreamType,
    examples: ['\n\ncontact\n\n'],
  }),
} as const

/** Whether callers prove who they are with a token or a session of a principal. */
export function isForPrincipals({ role }: AnyOperation): boolean {
  return role !== 'machine' && role !== 'no token'
}

/** Only requests of principals take a key. Reports of machines are repeatable without one. */
export function takesIdempotencyKey(operation: AnyOperation): boolean {
  return operation.mutates && operation.method === 'POST' && isForPrincipals(operation)
}

/**
 * Only principals may try a change out. A dry run answers as the change would and leaves no trace: without a principal, it
 * would answer whether a name, an address or a credential is known, and nobody would learn who asked.
 */
export function takesDryRun(operation: AnyOperation): boolean {
  return operation.mutates && isForPrincipals(operation)
}

/** Operations that share a tag of the OpenAPI document. */
export type ApiSection = { name: string; description: string; operations: readonly AnyOperation[] }
