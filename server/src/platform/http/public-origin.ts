import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../configuration.ts'
import { invalidRequest } from '../general-problems.ts'
import { Problem } from '../problem.ts'
import { isInRanges, toBlockList } from './address-ranges.ts'
import { isFromBootListener } from './boot-listener.ts'

type Settings = Pick<Configuration, 'publicUrl' | 'bootUrl' | 'trustedProxies'>
type Request = Pick<FastifyRequest, 'raw' | 'headers' | 'protocol' | 'host'>

/**
 * The address of this service as the client sees it, without a path. Every address that is handed out begins with it.
 * Once MUSTER_PUBLIC_URL is set, no header of the request has an influence.
 */
export function publicOriginOf(settings: Settings, request: Request): string {
  const configured = isFromBootListener(request.raw) ? settings.bootUrl : settings.publicUrl
  if (configured !== undefined) return configured
  const { protocol, host } = request
  if (cameThroughUnlistedProxy(settings, request))
    throw invalidRequest({
      detail:
        'The request came through a proxy that MUSTER_TRUSTED_PROXIES does not list, so the service does not know its own ' +
        'address. List the proxy, or set MUSTER_PUBLIC_URL.',
    })
  const origin = `${protocol}://${host}`
  if (!isPlainHost(host) || !URL.canParse(origin)) throw invalidRequest({ detail: 'The header Host is not valid.' })
  return origin
}

/** The address of this service; undefined if the request does not show it. */
export function findPublicOrigin(settings: Settings, request: Request): string | undefined {
  try {
    return publicOriginOf(settings, request)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'via']

/** Whether a proxy says that it sends the request for somebody else. */
export function hasForwardingHeader(headers: Request['headers']): boolean {
  return forwardingHeaders.some((name) => headers[name] !== undefined)
}

/** Such a proxy may have ended TLS, so an address with http:// would be wrong, and unsafe to follow. */
function cameThroughUnlistedProxy({ trustedProxies }: Settings, { headers, raw }: Request): boolean {
  if (!hasForwardingHeader(headers)) return false
  return !isInRanges(toBlockList(trustedProxies), raw.socket.remoteAddress ?? '')
}

const isPlainHost = (host: string) => /^[\w.:[\]-]+$/.test(host)
