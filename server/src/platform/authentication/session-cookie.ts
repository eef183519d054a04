import type { FastifyRequest } from 'fastify'

type Request = Pick<FastifyRequest, 'headers' | 'protocol' | 'server'>

/** A cookie that no script reads, and that requests out of other sites do not carry, except when a link leads here. */
export type Cookie = {
  read(request: Request): string | undefined
  /** The header Set-Cookie; without a lifetime, it lasts as long as the browser runs. */
  set(request: Request, value: string, maxAgeSeconds?: number): string
  clear(request: Request): string
}

export function cookie(name: string): Cookie {
  // Under TLS with the prefix by which browsers refuse it from a plain connection, and from a neighbouring host.
  const nameFor = ({ protocol }: Request) => (protocol === 'https' ? `__Host-${name}` : name)
  const set = (request: Request, value: string, maxAge?: number) =>
    request.server.serializeCookie(nameFor(request), value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: request.protocol === 'https',
      ...(maxAge !== undefined && { maxAge }),
    })
  return {
    set,
    clear: (request) => set(request, '', 0),
    read(request) {
      const { cookie } = request.headers
      return (cookie && request.server.parseCookie(cookie)[nameFor(request)]) || undefined
    },
  }
}

export const sessionCookie = cookie('muster_session')
