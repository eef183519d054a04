import type { Configuration } from '../../../platform/configuration.ts'
import { type DownloadHost, findDownloadHost } from '../../../platform/download-hosts.ts'
import { DownloadRefused } from './download-errors.ts'

export type DownloadSettings = Pick<Configuration, 'patchHosts' | 'mode' | 'maxPatchFileMegabytes'>

export type AllowedAddress = { url: URL; host: DownloadHost }

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Checks an address before anything is sent to it. Only HTTPS to a listed host is allowed; in development mode also HTTP
 * to this machine. Throws if the address is refused.
 */
export function requireAllowedAddress(address: string | URL, { patchHosts, mode }: DownloadSettings): AllowedAddress {
  const url = URL.parse(String(address))
  if (!url) throw new DownloadRefused('The address is not a valid URL.')
  const isLocalTest = mode === 'development' && url.protocol === 'http:' && loopbackNames.includes(url.hostname)
  if (url.protocol !== 'https:' && !isLocalTest)
    throw new DownloadRefused(`The address of ${url.host} does not start with https.`)
  if (url.username || url.password) throw new DownloadRefused(`The address of ${url.host} contains a password.`)
  const host = findDownloadHost(patchHosts, url)
  if (!host)
    throw new DownloadRefused(`${url.host} is listed neither in MUSTER_PATCH_HOSTS nor in MUSTER_PATCH_PRIVATE_HOSTS.`)
  return { url, host }
}

/** Why nothing can be downloaded from the address; undefined if it is allowed. */
export function findAddressFault(address: string, settings: DownloadSettings): string | undefined {
  try {
    requireAllowedAddress(address, settings)
    return undefined
  } catch (error) {
    if (error instanceof DownloadRefused) return error.message
    throw error
  }
}
