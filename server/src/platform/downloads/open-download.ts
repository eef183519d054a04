import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { sendHttpRequest } from '@muster/http'
import { isPublicAddress } from '../http/public-addresses.ts'
import { publicLookup } from '../http/public-lookup.ts'
import { type AllowedAddress, type DownloadRules, requireAllowedAddress } from './allowed-address.ts'
import { DownloadInterrupted, DownloadRefused } from './download-errors.ts'

/** A host that sends no headers within this time, or later nothing for this long, is left. */
const stallTimeoutMs = 60_000
const maxRedirects = 5

/** Requests an address and follows redirects, each to an allowed address. The caller reads or destroys the response. */
export async function openDownload(
  address: string,
  rules: DownloadRules,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let target = requireAllowedAddress(address, rules)
  for (let redirects = 0; ; redirects++) {
    const response = await request(target, rules, signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return response
    response.destroy()
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined) throw statusFault(target, statusCode)
    if (redirects === maxRedirects) throw new DownloadRefused(`${target.url.host} redirects too often.`)
    target = redirectTarget(target, headers.location, rules)
  }
}

function redirectTarget({ url }: AllowedAddress, location: string, rules: DownloadRules): AllowedAddress {
  const next = URL.parse(location, url.href)
  if (!next) throw new DownloadRefused(`${url.host} redirects to an invalid address.`)
  try {
    return requireAllowedAddress(next, rules)
  } catch (error) {
    throw error instanceof DownloadRefused
      ? new DownloadRefused(`${url.host} redirects elsewhere. ${error.message}`)
      : error
  }
}

function statusFault({ url }: AllowedAddress, status: number): Error {
  const message = `${url.host} answered ${status}.`
  const mayPass = status >= 500 || [408, 425, 429].includes(status)
  return mayPass ? new DownloadInterrupted(message) : new DownloadRefused(message)
}

async function request(
  { url, host: { isPrivate } }: AllowedAddress,
  { settings }: DownloadRules,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  const refusePrivate = (hostname: string) => privateAddress(hostname, settings.privateHosts)
  if (isIP(literal) && !isPrivate && !isPublicAddress(literal)) throw refusePrivate(url.hostname)
  const stalled = () => new DownloadInterrupted(`${url.host} sent nothing for a minute.`)
  const unanswered = new AbortController()
  const timer = setTimeout(() => unanswered.abort(stalled()), stallTimeoutMs)
  try {
    const response = await sendHttpRequest(url, {
      // A new connection: the check applies to its address, and nothing stays open.
      agent: false,
      signal: AbortSignal.any([signal, unanswered.signal]),
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Muster' },
      ...(!isPrivate && { lookup: publicLookup(refusePrivate) }),
    })
    return response.setTimeout(stallTimeoutMs, () => void response.destroy(stalled()))
  } catch (error) {
    throw toDownloadError(url.host, error as Error)
  } finally {
    clearTimeout(timer)
  }
}

function privateAddress(hostname: string, setting: string): DownloadRefused {
  return new DownloadRefused(
    `${hostname} has an address in a private network. If that is intended, list it in ${setting}.`,
  )
}

/** Errors of the network may pass. The cause stays visible, because a shortage of this machine is not a fault of the network. */
export function toDownloadError(host: string, error: Error): Error {
  if (error instanceof DownloadRefused || error instanceof DownloadInterrupted) return error
  return new DownloadInterrupted(`The connection to ${host} failed: ${error.message}.`, { cause: error })
}
