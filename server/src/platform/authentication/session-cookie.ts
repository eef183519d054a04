import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the configured public address has TLS. */
    isPublicOverHttps: boolean
  }
}

type Request = Pick<FastifyRequest, 'headers' | 'protocol' | 'server'>

/** A cookie that scripts cannot read and that browsers send from other sites only when the user follows a link. */
export type Cookie = {
  read(request: Request): string | undefined
  /** The value for the header Set-Cookie. Without a lifetime, the cookie lasts until the browser is closed. */
  set(request: Request, value: string, maxAgeSeconds?: number): string
  clear(request: Request): string
}

/** Also behind a proxy that ends TLS without saying so, if the public address shows that browsers use it. */
function needsTls({ protocol, server }: Request): boolean {
  return protocol === 'https' || server.isPublicOverHttps
}

export function openCookie(name: string): Cookie {
  // With this prefix, browsers refuse a cookie that was set without TLS or by another host of the domain.
  const nameFor = (request: Request) => (needsTls(request) ? `__Host-${name}` : name)
  const set = (request: Request, value: string, maxAge?: number) =>
    request.server.serializeCookie(nameFor(request), value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: needsTls(request),
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
