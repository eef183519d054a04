import { isSecureAddress } from '@muster/client'
import { UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'

/** The address of a service as it is stored: without a path, and with HTTPS unless it names another scheme. */
export function parseAddress(text: string, isInsecureAllowed = false): string {
  const address = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password)
    throw new UsageError(`"${text}" is not an address. Write https://muster.example.org.`)
  requireSecure(address.origin, isInsecureAllowed)
  return address.origin
}

/** Credentials are sent to the address, so the connection must be encrypted. */
export function requireSecure(address: string, isInsecureAllowed: boolean): void {
  if (!isInsecureAllowed && !isSecureAddress(new URL(address)))
    throw new UsageError(
      `${address} is not encrypted: everybody in the network could read the credentials. Use https, or --insecure for a test.`,
    )
}

/** Warns that a connection is not encrypted. */
export function warnIfInsecure({ note }: Terminal, address: string): void {
  if (!isSecureAddress(new URL(address)))
    note(`Warning: ${address} is not encrypted. Everybody in the network can read and change what is sent.\n`)
}
