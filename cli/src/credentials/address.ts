import { UsageError } from '../errors.ts'

/** The address of a service as it is stored: without a path, and with HTTPS unless it names another scheme. */
export function parseAddress(text: string): string {
  const address = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (!address || !/^https?:$/.test(address.protocol))
    throw new UsageError(`"${text}" is not an address. Write https://muster.example.org.`)
  return address.origin
}
