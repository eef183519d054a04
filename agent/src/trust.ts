import { setDefaultCACertificates } from 'node:tls'

/**
 * Trusts these certificates and no others, for every connection of this process: any authority that the system trusts
 * could otherwise issue a certificate for the server.
 */
export function pinCertificates(certificates: string): void {
  setDefaultCACertificates([certificates])
}
