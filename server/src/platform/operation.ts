import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Caller } from './authentication/authenticate.ts'
import type { FileToSend } from './http/send-file.ts'
import type { RateLimit } from './load/rate-limit.ts'
import type { ProblemKind } from './problem.ts'
import type { Role } from './roles.ts'
import { closed, type Static, type TSchema, Type } from './schema.ts'
import type { Services } from './services.ts'
import type { Step } from './steps.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call: the holders of one role, whoever has a valid token, everybody, or only machines with a credential. */
export type Access = Role | 'any valid token' | 'no token' | 'machine'

/** A computer that calls with a credential of its own. What it reports about itself is not audited. */
export type Machine = {
  clientId: number
  /** Of the secret that it gave, where the operation itself has to check it. */
  secretHash?: Buffer
}

/** Whether it is a role, which principals have, and no other way to say who may call. */
export function isRole(access: Access): access is Role {
  return access !== 'any valid token' && access !== 'no token' && access !== 'machine'
}

export type Returns = Readonly<Record<number, TSchema | null>>

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers without a body returns nothing.
type BodyOf<R extends Returns> = R[keyof R] extends TSchema ? Static<R[keyof R]> : void

/** An answer whose status the handler chooses, where an operation declares several. */
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
  /** The open transaction; for reads, the pool; for stepwise operations, the connection that the steps use. */
  db: Database
  /** Set for stepwise operations only. */
  step: Step
  caller: Caller
  /** Set for operations of machines only. */
  machine: Machine
  services: Services
  request: FastifyRequest
  /** Adds a header to the answer. */
  setHeader(name: string, value: string): void
  /** Blanks a property of the body in the audit trail, where only the handler knows that it is a secret. */
  conceal(...path: string[]): void
}

export type Declaration<P extends TSchema, Q extends TSchema, B extends TSchema | null, R extends Returns> = {
  /** The operationId; the file has the same name in kebab-case. */
  id: string
  route: `${Method} /${string}`
  summary: string
  description?: string
  role: Access
  params?: P
  query?: Q
  body?: B
  /** True where the body may be left out altogether. */
  bodyOptional?: boolean
  /** Content type of the request body, where it is not JSON. */
  bodyType?: 'application/x-www-form-urlencoded'
  returns: R
  /** Content type of the answer, where it is not JSON. */
  answerType?: `text/plain${string}` | typeof fileType
  problems?: readonly ProblemKind[]
  /** For a read whose cost grows with the fleet: it waits where agents and other requests would have to wait for it. */
  fleetWide?: boolean
  /** For a POST that changes nothing: it gets no transaction, no audit entry and no dry run. */
  readonly?: boolean
  /**
   * For a change whose parts stand for themselves: the handler makes each with `step`, and nothing without it. What is
   * done stays done if the service ends in the middle, so a repetition must find the rest.
   */
  stepwise?: boolean
  /**
   * For a call of machines so frequent that it may cost one statement in all. The frame only reads the form of the
   * credential; the operation checks `machine.secretHash` in its own statement and answers 401. It gets the pool
   * instead of a transaction, no dry run, and is run again when it lost a race.
   */
  checksCredential?: boolean
  /** Requests of one address are counted against it before anything else is done. */
  rateLimit?: (services: Services) => RateLimit
  /** Largest body in bytes, where it is less than what the service takes. */
  bodyLimit?: number
  /** For the read of a single resource: properties that change by themselves, which its ETag leaves out. */
  unversioned?: readonly string[]
  /** For a change to a single resource: the operation that reads it. If-Match is checked against its ETag. */
  changes?: AnyOperation
  /** Beyond the contract. */
  extension?: boolean
  handle(call: Call<P, Q, B>): Promise<BodyOf<R> | Answer<BodyOf<R>>>
}

export type Operation<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema | null = TSchema | null,
  R extends Returns = Returns,
> = Omit<Declaration<P, Q, B, R>, 'params' | 'query' | 'body' | 'problems'> & {
  method: Method
  path: string
  params: P
  query: Q
  body: B
  problems: readonly ProblemKind[]
  mutates: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a list of operations forgets the types of each; `call` brings them back.
export type AnyOperation = Operation<any, any, any, any>

const Nothing = closed({})

export function operation<
  P extends TSchema = typeof Nothing,
  Q extends TSchema = typeof Nothing,
  B extends TSchema | null = null,
  R extends Returns = Returns,
>(declaration: Declaration<P, Q, B, R>): Operation<P, Q, B, R> {
  const [method, path] = declaration.route.split(' ') as [Method, string]
  return {
    ...declaration,
    method,
    path,
    params: declaration.params ?? (Nothing as TSchema as P),
    query: declaration.query ?? (Nothing as TSchema as Q),
    body: declaration.body ?? (null as B),
    problems: declaration.problems ?? [],
    mutates: method !== 'GET' && !declaration.readonly && !declaration.checksCredential,
  }
}

export const ok = <S extends TSchema>(schema: S) => ({ 200: schema }) as const
export const okEmpty = { 200: null } as const
export const created = <S extends TSchema>(schema: S) => ({ 201: schema }) as const
export const accepted = <S extends TSchema>(schema: S) => ({ 202: schema }) as const
export const noContent = { 204: null } as const

/** The content type of operations that answer with a file: a stream, of which a caller may ask for a range of bytes. */
export const fileType = 'application/octet-stream'

const FileContent = Type.Unsafe<FileToSend>({ type: 'string', contentMediaType: fileType, examples: ['Hello!'] })
export const fileContent = { 200: FileContent, 206: FileContent } as const

/** A key belongs to a principal. A machine repeats what it reports as often as it likes, without a key. */
export function takesIdempotencyKey({ mutates, method, role }: AnyOperation): boolean {
  return mutates && method === 'POST' && role !== 'machine' && role !== 'no token'
}

/** Operations that share a tag of the OpenAPI document. */
export type ApiSection = { name: string; description: string; operations: readonly AnyOperation[] }
