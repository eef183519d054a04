import type { FastifyRequest } from 'fastify'
import { isInRanges, toBlockList } from '../http/address-ranges.ts'
import { openPacer, type Pacer } from './pace.ts'

/** How fast all computers of an address range together download files from this node. */
export type NetworkRate = { range: string; kilobytesPerSecond: number }

/** Returns what a download must share: the rate of its network, and the one to which the computer limits itself. */
export type DownloadRates = (request: FastifyRequest) => Pacer[]

/** The first range that contains an address counts. Each worker process gets its part, so the sum is that of the node. */
export function openDownloadRates(rates: readonly NetworkRate[], workers: number): DownloadRates {
  const networks = rates.map(({ range, kilobytesPerSecond }) => ({
    addresses: toBlockList([range]),
    pacer: openPacer((kilobytesPerSecond * 1_000) / workers),
  }))
  return (request) => {
    const network = networks.find(({ addresses }) => isInRanges(addresses, request.ip))
    const own = declaredRateOf(request)
    return [...(network ? [network.pacer] : []), ...(own === undefined ? [] : [openPacer(own)])]
  }
}

const declaredRateHeader = 'muster-max-rate'

/** The bytes per second to which a computer limits its download. The service sends no faster, so the promise is kept. */
export function declaredRateOf({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const value = headers[declaredRateHeader]
  return typeof value === 'string' && /^[1-9]\d{0,11}$/.test(value)
    ? Math.max(minDeclaredRate, Number(value))
    : undefined
}

/** A slower reader would be closed as one that hardly reads. */
const minDeclaredRate = 4_000
