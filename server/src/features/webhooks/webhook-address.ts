import { isIP } from 'node:net'
import type { Configuration } from '../../platform/configuration.ts'
import { findDownloadHost } from '../../platform/downloads/download-hosts.ts'
import { isPublicAddress } from '../../platform/http/public-addresses.ts'

export type WebhookSettings = Pick<Configuration, 'webhookPrivateHosts'>

/** The address cannot be sent to, whenever it is tried. The message is for people. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
}

export type WebhookTarget = {
  url: URL
  /** Whether the host may have an address in a private network. */
  isPrivate: boolean
}

export function privateNetwork(hostname: string): AddressRefused {
  return new AddressRefused(
    `${hostname} has an address in a private network. If that is intended, list it in MUSTER_WEBHOOK_PRIVATE_HOSTS.`,
  )
}

/** Checks an address as far as that is possible without resolving its name. Throws if it is refused. */
export function requireWebhookAddress(address: string, { webhookPrivateHosts }: WebhookSettings): WebhookTarget {
  const url = URL.parse(address)
  if (!url) throw new AddressRefused('The address is not a valid URL.')
  if (url.username || url.password) throw new AddressRefused('The address contains a password.')
  const isPrivate = findDownloadHost(webhookPrivateHosts, url) !== undefined
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isPrivate))
    throw new AddressRefused('The address does not start with https.')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) && !isPrivate && !isPublicAddress(literal)) throw privateNetwork(url.hostname)
  return { url, isPrivate }
}
