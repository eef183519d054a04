import type { paths } from '@muster/client'

export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'

type Route = {
  [Path in keyof paths]: { [M in Method]: paths[Path][M] extends object ? `${Uppercase<M>} ${Path}` : never }[Method]
}

/** An operation of the API, such as `GET /api/fleet/computers`. */
export type OperationName = Route[keyof paths]

type OperationOf<Name extends OperationName> = Name extends `${infer M} ${infer Path extends keyof paths & string}`
  ? NonNullable<paths[Path][Lowercase<M> & Method]>
  : never

type ContentOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : undefined

/** What the operation answers with when it succeeds. */
export type AnswerOf<Name extends OperationName> =
  OperationOf<Name> extends { responses: infer Responses }
    ? ContentOf<Responses[keyof Responses & (200 | 201 | 202 | 204)]>
    : never

/** The body that the operation takes. */
export type BodyOf<Name extends OperationName> =
  OperationOf<Name> extends { requestBody?: { content: { 'application/json': infer Body } } } ? Body : undefined
