import { MusterProblem } from './problem.ts'

/** The address as a URL; undefined if it is none. Node 20 has no `URL.parse`. */
export const parseUrl = (address: string, base?: string): URL | undefined =>
  URL.canParse(address, base) ? new URL(address, base) : undefined

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Whether an address is on this computer, where nobody in the network can listen. */
export const isLoopback = ({ hostname }: URL): boolean => loopback.test(hostname)

/** Whether nobody in the network can read what is sent to an address: HTTPS, or plain HTTP on this computer. */
export const isSecureAddress = (address: URL): boolean =>
  address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address))

/** Throws if secrets would be sent in the clear, unless the caller accepts that. */
export function requireSecureAddress(address: string, isInsecureAllowed: boolean): void {
  const url = parseUrl(address)
  if (url && (isSecureAddress(url) || (isInsecureAllowed && url.protocol === 'http:'))) return
  throw new MusterProblem(
    {
      code: 'InsecureAddress',
      detail: `${url?.origin ?? address} is not encrypted: everybody in the network could read the credentials. Use https.`,
    },
    0,
  )
}
