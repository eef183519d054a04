import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** Beside those that the system trusts, for every connection of this process. */
export function trustAlso(certificates: string): void {
  setDefaultCACertificates([...getCACertificates('default'), certificates])
}
