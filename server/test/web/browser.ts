import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { App } from '../../src/app.ts'
import type { Operation, Returns } from '../../src/platform/operation.ts'
import type { Static, TSchema } from '../../src/platform/schema.ts'
import type { SessionDto } from '../../src/web/schemas.ts'
import { addressOf, type Input, type Json } from '../world/caller.ts'

export type SessionAnswer = Json<Static<typeof SessionDto>>
export type Credentials = { clientId: string; secret: string }

export type Browser = {
  cookies: Map<string, string>
  /** Sends the cookies, and keeps those of the answer. */
  send(request: InjectOptions): Promise<LightMyRequestResponse>
  signIn(credentials: Credentials): Promise<LightMyRequestResponse>
  session(): Promise<LightMyRequestResponse>
  /** Calls an operation as the pages do: with the token that the session has given. */
  call<P extends TSchema, Q extends TSchema, B extends TSchema | null, R extends Returns>(
    operation: Operation<P, Q, B, R>,
    input?: Input<P, Q, B>,
  ): Promise<LightMyRequestResponse>
}

/** A browser on the console: it keeps cookies and sends the headers that name the origin of a request. */
export function browser(app: App): Browser {
  const cookies = new Map<string, string>()
  let csrfToken = ''

  async function send(request: InjectOptions): Promise<LightMyRequestResponse> {
    const header = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await app.http.inject({
      ...request,
      headers: { 'sec-fetch-site': 'same-origin', ...(header && { cookie: header }), ...request.headers },
    })
    for (const { name, value, maxAge } of response.cookies)
      if (maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    if (response.statusCode === 200 && request.url === '/admin/session')
      csrfToken = response.json<SessionAnswer>().csrfToken
    return response
  }

  return {
    cookies,
    send,
    signIn: ({ clientId, secret }) =>
      send({ method: 'POST', url: '/admin/session', payload: { clientId, clientSecret: secret } }),
    session: () => send({ method: 'GET', url: '/admin/session' }),
    call: (operation, { params, query, body, headers } = {}) =>
      send({
        method: operation.method,
        url: addressOf(operation, params as object, query),
        headers: { 'x-csrf-token': csrfToken, ...headers },
        ...(body !== undefined && { payload: body as object }),
      }),
  }
}
