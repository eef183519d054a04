import { BlockList, isIPv6 } from 'node:net'

const networks4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** Within global unicast: documentation, and transition techniques that lead to IPv4 addresses. */
const networks6 = ['2001::/32', '2001:db8::/32', '2002::/16', '3fff::/20']

const special = new BlockList()
for (const network of [...networks4, ...networks6]) {
  const [address = '', bits] = network.split('/')
  special.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
}

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is one of the public internet: not private, local, reserved or for documentation. */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
  return !special.check(address, 'ipv4')
}
