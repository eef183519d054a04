import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { Platform } from '../platform/platform.ts'

/**
 * Decides which authorities connections trust. Pinned ones are the only ones: any authority that the system trusts could
 * otherwise issue a certificate for the server. Without them, authorities that were added to the system are trusted as well,
 * for example that of a company. Undefined if only those that Node includes are trusted.
 *
 * All connections share the result, because each authority takes memory and time to decode.
 */
export function trustedAuthorities(
  { systemAuthorities }: Platform,
  server: string,
  pinned: string | undefined,
): SecureContext | undefined {
  if (pinned !== undefined) return createSecureContext({ ca: pinned })
  if (!server.startsWith('https:')) return undefined
  return createSecureContext({ ca: listAuthorities(systemAuthorities()) })
}

/** Those of Node and of the system. */
export function listAuthorities(ofSystem: string[]): string[] {
  return withoutRepetition([...getCACertificates('default'), ...ofSystem])
}

/** Most authorities of the system are also those of Node, with lines that may end elsewhere. */
const withoutRepetition = (certificates: string[]): string[] => [
  ...new Map(certificates.map((certificate) => [certificate.replace(/\s/g, ''), certificate])).values(),
]
