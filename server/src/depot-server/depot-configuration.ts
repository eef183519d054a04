import { resolve } from 'node:path'
import { type Configuration, readConfiguration } from '../platform/configuration.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'

export type DepotConfiguration = {
  /** The address of the master server. */
  master: URL
  credential: string
  /** The address at which computers reach the depot. If undefined, it is derived from the listeners. */
  url: string | undefined
  directory: string
  syncMinutes: number
  heartbeatSeconds: number
  /** The settings of the listeners for nearby computers, and of the packets that wake them. */
  listeners: Configuration
}

type Environment = Record<string, string | undefined>

/** Reads the configuration of the depot program. Its listeners have the same settings as those of the service. */
export function readDepotConfiguration(environment: Environment): DepotConfiguration {
  const readInteger = (name: string, fallback: number, max: number) => {
    const value = environment[name] || String(fallback)
    if (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= max) return Number(value)
    throw new ConfigurationError(`${name} must be a whole number from 1 to ${max}, not '${value}'.`)
  }
  const readSwitch = (name: string) => {
    const value = environment[name] || 'off'
    if (value === 'on' || value === 'off') return value === 'on'
    throw new ConfigurationError(`${name} must be one of on, off, not '${value}'.`)
  }
  return {
    master: readMasterUrl(environment.MUSTER_DEPOT_MASTER, readSwitch('MUSTER_DEPOT_INSECURE')),
    credential: readCredential(environment.MUSTER_DEPOT_CREDENTIAL),
    url: readOwnUrl(environment.MUSTER_DEPOT_URL),
    directory: resolve(environment.MUSTER_DEPOT_DIR || 'depot'),
    syncMinutes: readInteger('MUSTER_DEPOT_SYNC_MINUTES', 60, 10_080),
    heartbeatSeconds: readInteger('MUSTER_DEPOT_HEARTBEAT_SECONDS', 15, 240),
    // A depot has nothing to boot.
    listeners: { ...readConfiguration(environment), boot: undefined },
  }
}

function readOwnUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (isHttpUrl(text)) return text.replace(/\/+$/, '')
  throw new ConfigurationError('MUSTER_DEPOT_URL must be the address of the depot, starting with https:// or http://.')
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password
}

/** The credential is sent there, so the connection must be encrypted. */
function readMasterUrl(text: string | undefined, isInsecureAllowed: boolean): URL {
  if (!text || !isHttpUrl(text))
    throw new ConfigurationError(
      'MUSTER_DEPOT_MASTER must be the address of the master server, starting with https://.',
    )
  const url = new URL(text.replace(/\/*$/, '/'))
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLoopback && !isInsecureAllowed)
    throw new ConfigurationError(
      'MUSTER_DEPOT_MASTER must be an https:// address: plain http exposes the credential to the network. Use https, or MUSTER_DEPOT_INSECURE=on for a test.',
    )
  return url
}

function readCredential(text: string | undefined): string {
  if (text && /^depot-\d+\.[\w-]+$/.test(text)) return text
  throw new ConfigurationError(
    'MUSTER_DEPOT_CREDENTIAL must be the credential from the answer of POST /api/depots/{clientId}/credential.',
  )
}
