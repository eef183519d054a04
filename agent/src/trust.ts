import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/**
 * Trusts these certificates and no others, for every connection of this process: any authority that the system trusts
 * could otherwise issue a certificate for the server.
 */
export function pinCertificates(certificates: string): void {
  setDefaultCACertificates([certificates])
}

/** Trusts also the authorities that were added to the system, for example that of a company. */
export function trustSystem(server: string): void {
  if (server.startsWith('https:'))
    setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')])
}
