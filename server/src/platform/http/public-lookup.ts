import { lookup as resolveName } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './public-addresses.ts'

/**
 * Resolves names for connections. The addresses that are checked are the ones that are then connected to: there is no
 * second look-up that could answer otherwise. `refuse` makes the error for a name with an address in a private network.
 */
export function publicLookup(refuse: (hostname: string) => Error): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(refuse(hostname), '')
      const [first] = addresses
      if (options.all || !first) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
