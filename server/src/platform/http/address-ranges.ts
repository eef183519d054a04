import { BlockList, isIP, isIPv6 } from 'node:net'

/** Whether a text is an address or a CIDR range. */
export function isAddressRange(value: string): boolean {
  const [address = '', bits] = value.split('/')
  const width = isIP(address) === 6 ? 128 : 32
  return isIP(address) !== 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= width))
}

/** The addresses of addresses and CIDR ranges. */
export function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** An address of IPv4 counts also in the form in which a listener for both versions shows it. */
export function isInRanges(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
