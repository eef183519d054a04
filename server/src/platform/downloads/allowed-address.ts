import type { Configuration } from '../configuration.ts'
import { DownloadRefused } from './download-errors.ts'
import { type DownloadHost, findDownloadHost } from './download-hosts.ts'

/** From where files of one kind may be downloaded. */
export type DownloadRules = {
  hosts: readonly DownloadHost[]
  mode: Configuration['mode']
  /** The names of the settings that list the hosts, for messages. */
  settings: { hosts: string; privateHosts: string }
}

export type AllowedAddress = { url: URL; host: DownloadHost }

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Checks an address before anything is sent to it. Only HTTPS to a listed host is allowed; in development mode also HTTP
 * to this machine. Throws if the address is refused.
 */
export function requireAllowedAddress(address: string | URL, { hosts, mode, settings }: DownloadRules): AllowedAddress {
  const url = URL.parse(String(address))
  if (!url) throw new DownloadRefused('The address is not a valid URL.')
  const isLocalTest = mode === 'development' && url.protocol === 'http:' && loopbackNames.includes(url.hostname)
  if (url.protocol !== 'https:' && !isLocalTest)
    throw new DownloadRefused(`The address of ${url.host} does not start with https.`)
  if (url.username || url.password) throw new DownloadRefused(`The address of ${url.host} contains a password.`)
  const host = findDownloadHost(hosts, url)
  if (!host)
    throw new DownloadRefused(`${url.host} is listed neither in ${settings.hosts} nor in ${settings.privateHosts}.`)
  return { url, host }
}

/** Why nothing can be downloaded from the address; undefined if it is allowed. */
export function findAddressFault(address: string, rules: DownloadRules): string | undefined {
  try {
    requireAllowedAddress(address, rules)
    return undefined
  } catch (error) {
    if (error instanceof DownloadRefused) return error.message
    throw error
  }
}
