import { isIPv6 } from 'node:net'

/** The network of an address, such as a site: the first 24 bits of IPv4, the first 64 of IPv6. */
export function networkOf(address: string): string {
  return isVersion6(address) ? prefixOf(address) : toVersion4(address).split('.').slice(0, 3).join('.')
}

/** What stands for one machine: an address of IPv4, but a network of IPv6, because a machine can have all addresses of it. */
export function machineOf(address: string): string {
  return isVersion6(address) ? prefixOf(address) : toVersion4(address)
}

const mappedPrefix = /^::ffff:(?=[\d.]+$)/i

/** Listeners for both versions of IP show addresses of version 4 with a prefix. */
function toVersion4(address: string): string {
  return address.replace(mappedPrefix, '')
}

function isVersion6(address: string): boolean {
  return isIPv6(address) && !mappedPrefix.test(address)
}

/** The first 64 bits of an IPv6 address in one spelling. */
function prefixOf(address: string): string {
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const [first, last] = [head.split(':').filter(Boolean), tail.split(':').filter(Boolean)]
  const zeros = Array.from({ length: address.includes('::') ? 8 - first.length - last.length : 0 }, () => '0')
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((part) => part.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}
