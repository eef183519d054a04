import { getCACertificates } from 'node:tls'

/**
 * The certificates of the authorities that connections trust. Pinned ones are the only ones: any authority that the system
 * trusts could otherwise issue a certificate for the server. Without them, also the authorities that were added to the
 * system count, for example that of a company. Undefined for those that Node brings along.
 */
export function trustedAuthorities(server: string, pinned: string | undefined): string[] | undefined {
  if (pinned !== undefined) return [pinned]
  return server.startsWith('https:') ? [...getCACertificates('default'), ...getCACertificates('system')] : undefined
}
