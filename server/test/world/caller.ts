import type { InjectOptions } from 'fastify'
import type { App } from '../../src/app.ts'
import type { AnyOperation, Operation, Returns } from '../../src/platform/operation.ts'
import type { Static, TSchema } from '../../src/platform/schema.ts'
import { requireDeclaredAnswer } from './answer-check.ts'

/** The type of a value after serialisation to JSON and back. */
export type Json<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [K in keyof T]: Json<T[K]> }
      : T

type BodyOf<R extends Returns> = R[keyof R] extends TSchema ? Json<Static<R[keyof R]>> : undefined

export type Input<P extends TSchema, Q extends TSchema, B extends TSchema | null> = {
  params?: Static<P>
  query?: Partial<Json<Static<Q>>> & { dryRun?: boolean; expectedCount?: number; expectedCountTolerance?: string }
  body?: B extends TSchema ? Json<Static<B>> : undefined
  headers?: Record<string, string>
}

export type Result<T> = {
  status: number
  /** The body of a successful answer. Reading it after a failure throws the problem. */
  body: T
  /** The code of the problem, if the request failed. */
  problem: string | undefined
  /** The parsed body of any answer. */
  raw: unknown
  headers: Record<string, string>
}

export type Caller = {
  call<P extends TSchema, Q extends TSchema, B extends TSchema | null, R extends Returns>(
    operation: Operation<P, Q, B, R>,
    input?: Input<P, Q, B>,
  ): Promise<Result<BodyOf<R>>>
  /** Sends any request, also one that the declarations do not allow. */
  send(request: InjectOptions): Promise<Result<unknown>>
}

/** Calls the application with the given token, or without one. */
export function caller(app: App, token: string | undefined): Caller {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }

  async function send(request: InjectOptions): Promise<Result<unknown>> {
    const response = await app.http.inject({ ...request, headers: { ...authorization, ...request.headers } })
    return toResult(response.statusCode, response.headers as Record<string, string>, response.body)
  }

  return {
    send,
    async call(operation, input = {}) {
      const { body } = input
      const result = await send({
        method: operation.method,
        url: addressOf(operation, input.params as object, input.query),
        headers: {
          ...(body !== undefined && { 'content-type': operation.bodyType ?? 'application/json' }),
          ...input.headers,
        },
        ...(body !== undefined && { payload: encodeBody(operation, body as object) }),
      })
      if (result.status < 300) requireDeclaredAnswer(operation, result.status, result.raw, result.headers)
      return result as Result<never>
    },
  }
}

export function addressOf(operation: AnyOperation, params: object = {}, query: object = {}): string {
  const values = params as Record<string, unknown>
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((item): [string, string] => [name, String(item)]),
    ),
  )
  return search.size > 0 ? `${path}?${search}` : path
}

function encodeBody({ bodyType }: AnyOperation, body: object | string): string {
  if (typeof body === 'string') return body
  return bodyType ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
}

function toResult(status: number, headers: Record<string, string>, text: string): Result<unknown> {
  const isJson = /json/.test(headers['content-type'] ?? '')
  const raw: unknown = isJson && text !== '' ? JSON.parse(text) : text || undefined
  const problem = status >= 400 ? ((raw as { code?: string } | undefined)?.code ?? undefined) : undefined
  return {
    status,
    headers,
    raw,
    problem,
    get body() {
      if (status >= 400) throw new Error(`The request failed with ${status}: ${text}`)
      return raw
    },
  }
}
