import { resolve } from 'node:path'
import { type Configuration, readConfiguration } from '../platform/configuration.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'

export type DepotConfiguration = {
  /** Where the master server listens. */
  master: URL
  credential: string
  /** Where computers reach the depot; where it listens, unless given. */
  url: string | undefined
  directory: string
  syncMinutes: number
  heartbeatSeconds: number
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
    url: ownUrl(environment.MUSTER_DEPOT_URL),
    directory: resolve(environment.MUSTER_DEPOT_DIR || 'depot'),
    syncMinutes: whole('MUSTER_DEPOT_SYNC_MINUTES', 60, 10_080),
    heartbeatSeconds: whole('MUSTER_DEPOT_HEARTBEAT_SECONDS', 15, 240),
    listeners: readConfiguration(environment),
  }
}

function ownUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (isHttpUrl(text)) return text.replace(/\/+$/, '')
  throw new ConfigurationError('MUSTER_DEPOT_URL must be the address of the depot, beginning with https:// or http://.')
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password
}

function masterUrl(text: string | undefined): URL {
  if (text && isHttpUrl(text)) return new URL(text.replace(/\/*$/, '/'))
  throw new ConfigurationError('MUSTER_DEPOT_MASTER must be the address of the master server, beginning with https://.')
}

function credential(text: string | undefined): string {
  if (text && /^depot-\d+\.[\w-]+$/.test(text)) return text
  throw new ConfigurationError(
    'MUSTER_DEPOT_CREDENTIAL must be the credential that POST /api/depots/{clientId}/credential has shown.',
  )
}
