import { createHash } from 'node:crypto'
import type { FieldError, ProblemCode } from '@muster/client'
import { inject } from 'vitest'
import type { AnswerOf, BodyOf, OperationName } from './api-types.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The operations of the API, each with the example of its answer in the description of the API. */
    exampleOperations: { name: string; mutates: boolean; answer: unknown }[]
  }
}

export type FakeRequest<Body = unknown> = {
  path: string
  /** The values in the path, in their order. */
  params: string[]
  query: URLSearchParams
  headers: Headers
  body: Body
}

type Fields = { status?: number; headers?: Record<string, string> }

/** An answer that is not simply a body with status 200. */
export class FakeAnswer {
  readonly body: unknown
  readonly fields: Fields
  constructor(body: unknown, fields: Fields = {}) {
    this.body = body
    this.fields = fields
  }
}

type Answer<Name extends OperationName> = AnswerOf<Name> | FakeAnswer
type Handler<Name extends OperationName> = (request: FakeRequest<BodyOf<Name>>) => Answer<Name> | Promise<Answer<Name>>

type AnyHandler = (request: FakeRequest) => unknown
type Route = { method: string; pattern: RegExp; handler: AnyHandler }

export type Sent = FakeRequest & { name: string }

/** The example of the answer in the description of the API. Tests change what they are about. */
export function example<Name extends OperationName>(name: Name, changes: Partial<AnswerOf<Name>> = {}): AnswerOf<Name> {
  const found = known.find((operation) => operation.name === name)
  if (!found) throw new Error(`The API has no operation ${name}.`)
  if (Array.isArray(found.answer)) return structuredClone(found.answer) as AnswerOf<Name>
  return { ...(structuredClone(found.answer) as object), ...changes } as AnswerOf<Name>
}

/** A problem as the service answers with it. */
export const problem = (status: number, code: ProblemCode, detail: string = code, errors: FieldError[] = []) =>
  new FakeAnswer({ type: 'about:blank', title: code, status, detail, code, requestId: 'r-1', errors }, { status })

/** A list that fits on one page. */
export const listOf = <Item>(items: Item[]) => ({
  items,
  skip: 0,
  top: 50,
  totalCount: items.length,
  hasMore: false,
})

/** The answer to a dry run, with the number of computers that the change affects. */
export const affecting = (computers: number, body: unknown = undefined) =>
  new FakeAnswer(body, {
    status: body === undefined ? 204 : 200,
    headers: { 'muster-affected-computers': String(computers), 'muster-away-computers': '0' },
  })

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)

const known = inject('exampleOperations').map((operation) => {
  const [method, path = ''] = operation.name.split(' ')
  return { ...operation, method, pattern: patternOf(path) }
})

/**
 * Answers the requests of the pages. What a test does not define is read as the example in the description of the API, and not
 * changed. The types of the client check the answers: a change of the API does not leave them behind.
 */
export class FakeService {
  readonly sent: Sent[] = []
  readonly unexpected: string[] = []
  isReachable = true
  #routes: Route[] = []

  on<Name extends OperationName>(name: Name, answer: Answer<Name> | Handler<Name>): this {
    return this.onAny(name, typeof answer === 'function' ? (answer as AnyHandler) : () => answer)
  }

  /** The same for addresses of the service outside of its API. */
  onAny(name: string, handler: AnyHandler): this {
    const [method = '', path = ''] = name.split(' ')
    this.#routes.unshift({ method, pattern: patternOf(path), handler })
    return this
  }

  /** The bodies of the requests to an operation so far, without dry runs. */
  bodies<Name extends OperationName>(name: Name): BodyOf<Name>[] {
    return this.sent
      .filter((request) => request.name === name && !request.query.has('dryRun'))
      .map(({ body }) => body as BodyOf<Name>)
  }

  /** What the pages use instead of the network. */
  fetch = (input: Request | string, init?: RequestInit): Promise<Response> => {
    const { signal } = init ?? {}
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    )
    return Promise.race([this.#answer(input), aborted])
  }

  async #answer(input: Request | string): Promise<Response> {
    const request = input instanceof Request ? input : new Request(input)
    if (!this.isReachable) throw new TypeError('Failed to fetch')
    const url = new URL(request.url)
    const text = await request.text()
    const body = text === '' ? undefined : (JSON.parse(text) as unknown)
    const path = url.pathname
    const fake = { path, params: [], query: url.searchParams, headers: request.headers, body }
    const operation = known.find(({ method, pattern }) => method === request.method && pattern.test(path))
    this.sent.push({ ...fake, name: operation?.name ?? `${request.method} ${path}` })
    const route = this.#routes.find((one) => one.method === request.method && one.pattern.test(path))
    if (route) return toResponse(await route.handler({ ...fake, params: paramsOf(route.pattern, path) }))
    if (operation && !operation.mutates) return toResponse(operation.answer ?? undefined)
    this.unexpected.push(`${request.method} ${path}${url.search}`)
    return toResponse(new FakeAnswer({ title: 'Not Found' }, { status: 404 }))
  }
}

const paramsOf = (pattern: RegExp, path: string) => (pattern.exec(path) ?? []).slice(1).map(decodeURIComponent)

function toResponse(answer: unknown): Response {
  const { body, fields } = answer instanceof FakeAnswer ? answer : new FakeAnswer(answer)
  const status = fields.status ?? (body === undefined ? 204 : 200)
  const text = body === undefined ? null : JSON.stringify(body)
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json', etag: etagOf(body), ...fields.headers },
  })
}

/** The version of a body, as in the header ETag. */
export const etagOf = (body: unknown) =>
  `"${createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest('hex')
    .slice(0, 16)}"`
