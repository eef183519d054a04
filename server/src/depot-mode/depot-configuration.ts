import { resolve } from 'node:path'
import { type Configuration, ConfigurationError, readConfiguration } from '../platform/configuration.ts'

export type DepotConfiguration = {
  /** Where the master server listens. */
  master: URL
  credential: string
  directory: string
  syncMinutes: number
  heartbeatSeconds: number
  /** Where computers find the depot, unless its listener tells. */
  address: string | undefined
  /** Of the listeners for the computers near the depot, and of the packets that wake them. */
  listeners: Configuration
}

type Environment = Record<string, string | undefined>

/** Reads what a depot needs to know; the listeners have the same settings as those of the service. */
export function readDepotConfiguration(environment: Environment): DepotConfiguration {
  const whole = (name: string, fallback: number, most: number) => {
    const value = environment[name] || String(fallback)
    if (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= most) return Number(value)
    throw new ConfigurationError(`${name} must be a whole number from 1 to ${most}, not '${value}'.`)
  }
  return {
    master: masterUrl(environment.MUSTER_DEPOT_MASTER),
    credential: credential(environment.MUSTER_DEPOT_CREDENTIAL),
    directory: resolve(environment.MUSTER_DEPOT_DIR || 'depot'),
    syncMinutes: whole('MUSTER_DEPOT_SYNC_MINUTES', 60, 10_080),
    heartbeatSeconds: whole('MUSTER_DEPOT_HEARTBEAT_SECONDS', 15, 240),
    address: ownAddress(environment.MUSTER_DEPOT_ADDRESS),
    listeners: readConfiguration(environment),
  }
}

function masterUrl(text: string | undefined): URL {
  const url = text && URL.canParse(text) ? new URL(text.replace(/\/*$/, '/')) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return url
  throw new ConfigurationError('MUSTER_DEPOT_MASTER must be the address of the master server, beginning with https://.')
}

function ownAddress(text: string | undefined): string | undefined {
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw new ConfigurationError(
    "MUSTER_DEPOT_ADDRESS must be the depot's own address without a path, beginning with http:// or https://.",
  )
}

function credential(text: string | undefined): string {
  if (text && /^depot-\d+\.[\w-]+$/.test(text)) return text
  throw new ConfigurationError(
    'MUSTER_DEPOT_CREDENTIAL must be the credential that POST /api/depots/{clientId}/credential has shown.',
  )
}
