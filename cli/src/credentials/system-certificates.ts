import { existsSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

let isTrusting = false

/**
 * Trusts the certificates of the operating system, beside those of Node: the certificate of a service is often signed by an
 * authority that only the operating system knows. Reading them takes time, so it is done for HTTPS only.
 */
export function trustSystemCertificates({ protocol }: URL): void {
  if (isTrusting || protocol !== 'https:') return
  isTrusting = true
  // Node complains about a Linux without certificates.
  if (process.platform === 'linux' && !existsSync('/etc/ssl/certs')) return
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')])
}
