import type { FastifyRequest } from 'fastify'

type Request = Pick<FastifyRequest, 'headers' | 'protocol' | 'server'>

/** A cookie that scripts cannot read and that browsers send from other sites only when the user follows a link. */
export type Cookie = {
  read(request: Request): string | undefined
  /** The value for the header Set-Cookie. Without a lifetime, the cookie lasts until the browser is closed. */
  set(request: Request, value: string, maxAgeSeconds?: number): string
  clear(request: Request): string
}

export function openCookie(name: string): Cookie {
  // With this prefix, browsers refuse a cookie that was set without TLS or by another host of the domain.
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

export const sessionCookie = openCookie('muster_session')
