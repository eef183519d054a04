import { ConfigurationError } from './configuration-error.ts'
import { isAddressRange } from './http/address-ranges.ts'
import type { NetworkRate } from './load/download-rates.ts'

export type ReadInteger = (name: string, fallback: number, range: [number, number]) => number

/** What protects the service from its largest requests; 0 disables a limit. */
export function readLoadLimits(integer: ReadInteger, list: (name: string) => string[]) {
  const limit = (name: string, fallback: number) => integer(name, fallback, [0, 100_000])
  return {
    slicedActivationItems: integer('SLICED_ACTIVATION_ITEMS', 20_000, [0, 1_000_000_000]),
    wakeConnections: integer('WAKE_CONNECTIONS', 60_000, [0, 1_000_000]),
    handOutLatencyMs: integer('HAND_OUT_LATENCY', 100, [0, 10_000]),
    agentDownloads: {
      max: limit('DOWNLOADS', 100),
      maxPerNetwork: limit('DOWNLOADS_PER_NETWORK', 25),
    },
    installerDownloads: {
      max: limit('INSTALLER_DOWNLOADS', 50),
      maxPerNetwork: limit('INSTALLER_DOWNLOADS_PER_MACHINE', 10),
    },
    depotDownloads: { max: limit('DEPOT_DOWNLOADS', 25), maxPerNetwork: 0 },
    networkRates: list('NETWORK_RATES').map(parseNetworkRate),
  }
}

/** Such as 10.2.0.0/16=2000, in kilobytes per second. */
function parseNetworkRate(entry: string): NetworkRate {
  const [range = '', rate = ''] = entry.split('=').map((part) => part.trim())
  if (isAddressRange(range) && /^[1-9]\d{0,8}$/.test(rate)) return { range, kilobytesPerSecond: Number(rate) }
  throw new ConfigurationError(
    `MUSTER_NETWORK_RATES must list address ranges with kilobytes per second, such as 10.2.0.0/16=2000, not '${entry}'.`,
  )
}

const megabyte = 1_048_576

/** How much people may upload. */
export function readUploadLimits(integer: ReadInteger) {
  const range: [number, number] = [1, 1_000_000_000]
  return {
    maxFileBytes: integer('UPLOAD_SIZE_LIMIT', 16_384, range) * megabyte,
    maxPrincipalBytes: integer('UPLOAD_QUOTA', 65_536, range) * megabyte,
    maxTotalBytes: integer('UPLOAD_TOTAL', 262_144, range) * megabyte,
    hours: integer('UPLOAD_HOURS', 48, [1, 8_760]),
  }
}

export type UploadLimits = ReturnType<typeof readUploadLimits>

/** Requests per minute; 0 disables a limit. */
export function readRateLimits(limit: (name: string, fallback: number) => number) {
  return {
    tokenRateLimit: limit('TOKEN_RATE_LIMIT', 60),
    enrolmentRateLimit: limit('ENROLMENT_RATE_LIMIT', 300),
    bootRateLimit: limit('BOOT_RATE_LIMIT', 1000),
    jobRateLimit: limit('JOB_RATE_LIMIT', 1000),
    signInRateLimit: limit('SIGN_IN_RATE_LIMIT', 20),
  }
}
