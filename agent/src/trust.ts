import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** Adds certificates to those that the system trusts, for every connection of this process. */
export function addTrustedCertificates(certificates: string): void {
  setDefaultCACertificates([...getCACertificates('default'), certificates])
}
