import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import type { PublicKey } from '@muster/signing'
import { defaultConnections, minConnections } from '../database/lanes.ts'
import { type IdentityProvider, isTrustworthy, readIdentityProviders } from './authentication/identity-provider-file.ts'
import { ConfigurationError } from './configuration-error.ts'
import {
  type ReadInteger,
  readLoadLimits,
  readRateLimits,
  readUploadLimits,
  type UploadLimits,
} from './configuration-limits.ts'
import { readSources } from './configuration-sources.ts'
import { type DownloadHost, parseDownloadHost } from './downloads/download-hosts.ts'
import { isAddressRange } from './http/address-ranges.ts'
import { findKeyFile, type KeyFile, readKeyFile } from './keys/key-file.ts'
import type { NetworkRate } from './load/download-rates.ts'
import { addCredentials } from './systemd/credentials.ts'
import { readTlsSettings, type TlsSettings } from './tls/tls-settings.ts'
import { type OtlpSettings, readOtlp } from './tracing/otlp-settings.ts'
import { readTrustedKeys } from './trusted-keys.ts'

export type Configuration = {
  mode: 'production' | 'development'
  host: string
  port: number
  /** Whether everything is served over plain HTTP. With TLS, only if it is asked for. */
  plainHttp: boolean
  /** A second plain listener, which serves only network boot. */
  boot: { host: string; port: number } | undefined
  /** The address under which clients reach the service, such as https://muster.example.org. */
  publicUrl: string | undefined
  /** The same for the listener that serves only network boot. */
  bootUrl: string | undefined
  /** Whether the token of a boot script is valid only for the address that fetched the script. */
  bootBinding: 'address' | 'off'
  /** Whose installers have to be confirmed by an agent that enrols. */
  bootConfirmation: 'agents' | 'always'
  /** Number of processes that answer requests. */
  workers: number
  tls: TlsSettings | undefined
  dataDirectory: string
  packageStore: string
  /** Packages that one of these keys has signed are trusted. */
  trustedKeys: readonly PublicKey[]
  /** Whether the one who releases a package must be another than the one who imported it. */
  fourEyes: boolean
  /** The hosts from which files of patches may be downloaded. Without any, nothing is downloaded. */
  patchHosts: readonly DownloadHost[]
  maxPatchFileMegabytes: number
  /** The same for installers of packages. */
  packageHosts: readonly DownloadHost[]
  /** The folder of the package store with manifests of winget, in the layout of their public repository. */
  wingetMirror: string
  /** What the uploads of one principal and of all may take, and after how many hours without progress one is deleted. */
  uploads: UploadLimits
  /** With less room on a disk of the service, its health is degraded. */
  minFreeDiskMegabytes: number
  databaseUrl: string | undefined
  databaseConnections: number
  /** With a separate owner of the tables, the role of `databaseUrl` may only read and write rows. */
  databaseOwnerUrl: string | undefined
  /** Protects the keys in the database. Without it, they are stored as they are. */
  keyFile: KeyFile | undefined
  bootstrap: { clientId: string | undefined; clientSecret: string | undefined }
  tokenRateLimit: number
  enrolmentRateLimit: number
  /** Whether an agent may claim an existing computer by less than its UUID. Otherwise a person confirms it. */
  trustWeakMatches: boolean
  /** The age at which the credential of an agent is replaced. With 0, it never is. */
  credentialRotationDays: number
  bootRateLimit: number
  jobRateLimit: number
  tokenLifetimeSeconds: number
  signInRateLimit: number
  sessionIdleMinutes: number
  sessionHours: number
  /** Whether local principals can sign in to the console with client id and secret. */
  localSignIn: boolean
  /** Whether the service offers links that sign in on its machine. A container has no such machine. */
  signInLinks: boolean
  identityProviders: readonly IdentityProvider[]
  corsOrigins: string[]
  trustedProxies: string[]
  bodyLimitBytes: number
  /** The connections on which agents wait to be called, of each process. With 0, it takes none. */
  wakeConnections: number
  /** How long a hand-out of work may take before agents get turns. With 0, they never do. */
  handOutLatencyMs: number
  /** Limits of each process. With 0, there is none. */
  agentDownloads: { max: number; maxPerNetwork: number }
  /** Everybody can download installers. Here, a machine counts as a network. */
  installerDownloads: { max: number; maxPerNetwork: number }
  depotDownloads: { max: number; maxPerNetwork: number }
  /** How fast the computers of address ranges download from this node; the first that contains an address counts. */
  networkRates: readonly NetworkRate[]
  taskRetentionDays: number
  /** The share of all computers that a ring of a rollout may touch within an hour. */
  maxRingPercent: number
  /** Above how many computers a person in the console types the number before an action is carried out. */
  confirmCountAbove: number
  /** Hosts in private networks to which webhooks may send, even without TLS. */
  webhookPrivateHosts: readonly DownloadHost[]
  /** Days for which events are kept. */
  eventRetentionDays: number
  /** From this many work items, estimated, the work of an activation is created in slices. With 0, never. */
  slicedActivationItems: number
  /** The address that gets all magic packets, instead of the broadcast address of each computer's network. */
  wakeAddress: string | undefined
  wakePort: number
  /** Where the signed ends of the audit trail are exported to each hour. */
  anchorFile: string | undefined
  anchorUrl: string | undefined
  logLevel: string
  /** Where spans of requests, jobs and statements go. Without it, none are made. */
  otlp: OtlpSettings | undefined
}

type Environment = Record<string, string | undefined>

/** Reads all settings from the environment. Throws a ConfigurationError for an invalid value. */
export function readConfiguration(given: Environment): Configuration {
  const environment = addCredentials(given)
  const text = (name: string) => environment[`MUSTER_${name}`] || undefined
  const oneOf = <const V extends string>(name: string, values: readonly V[], fallback: NoInfer<V>): V =>
    parseOption(name, text(name) ?? fallback, values)
  const isOn = (name: string, fallback: boolean) => oneOf(name, ['on', 'off'], fallback ? 'on' : 'off') === 'on'
  const integer = (name: string, fallback: number, range: [number, number]) =>
    parseInteger(name, text(name) ?? String(fallback), range)
  const list = (name: string) => (text(name) ?? '').split(',').flatMap((item) => item.trim() || [])
  const hosts = (name: string, isPrivate: boolean) =>
    list(name).map((entry) => parseDownloadHost(`MUSTER_${name}`, entry, isPrivate))

  const dataDirectory = resolve(text('DATA_DIR') ?? 'data')
  const host = text('HOST') ?? '127.0.0.1'
  const tls = readTlsSettings(text, integer('TLS_PORT', 5443, [0, 65_535]))
  const boot = text('BOOT_PORT')
    ? { host: text('BOOT_HOST') ?? host, port: integer('BOOT_PORT', 0, [0, 65_535]) }
    : undefined
  const publicUrl = parseOrigin('MUSTER_PUBLIC_URL', text('PUBLIC_URL'))

  return {
    mode: oneOf('MODE', ['production', 'development'], 'production'),
    host,
    port: integer('PORT', 5057, [0, 65_535]),
    plainHttp: isOn('PLAIN_HTTP', !tls),
    boot,
    publicUrl,
    bootUrl: parseOrigin('MUSTER_BOOT_URL', text('BOOT_URL')) ?? deriveBootUrl(publicUrl, boot?.port),
    bootBinding: oneOf('BOOT_BINDING', ['address', 'off'], 'address'),
    bootConfirmation: oneOf('BOOT_CONFIRMATION', ['agents', 'always'], 'agents'),
    workers: integer('WORKERS', 1, [1, 64]),
    tls,
    dataDirectory,
    packageStore: resolve(text('PACKAGE_STORE') ?? join(dataDirectory, 'packages')),
    trustedKeys: readTrustedKeys('MUSTER_TRUSTED_KEYS', list('TRUSTED_KEYS')),
    fourEyes: isOn('FOUR_EYES', false),
    ...readSources(hosts, text),
    maxPatchFileMegabytes: integer('PATCH_SIZE_LIMIT', 4_096, [1, 1_000_000]),
    uploads: readUploadLimits(integer),
    minFreeDiskMegabytes: integer('MIN_FREE_DISK', 500, [0, 1_000_000_000]),
    databaseConnections: integer('DATABASE_CONNECTIONS', defaultConnections, [minConnections, 1000]),
    keyFile: openKeyFile(findKeyFile(text('KEY_FILE'), environment.CREDENTIALS_DIRECTORY)),
    bootstrap: { clientId: text('BOOTSTRAP_CLIENT_ID'), clientSecret: text('BOOTSTRAP_CLIENT_SECRET') },
    trustWeakMatches: isOn('TRUST_WEAK_MATCHES', false),
    credentialRotationDays: integer('CREDENTIAL_ROTATION_DAYS', 30, [0, 3_650]),
    ...readRateLimits((name, fallback) => integer(name, fallback, [0, 1_000_000])),
    tokenLifetimeSeconds: integer('TOKEN_LIFETIME', 3600, [1, 86_400]),
    ...readSessions(integer, isOn),
    identityProviders: readProvidersFile(text('OIDC_PROVIDERS_FILE')),
    corsOrigins: list('CORS_ORIGINS'),
    trustedProxies: list('TRUSTED_PROXIES').map(parseProxyAddress),
    bodyLimitBytes: integer('BODY_LIMIT', 1_048_576, [1_024, 1_073_741_824]),
    ...readLoadLimits(integer, list),
    ...readRetention(integer),
    ...readSafeguards(integer),
    webhookPrivateHosts: hosts('WEBHOOK_PRIVATE_HOSTS', true),
    wakeAddress: parseWakeAddress(text('WAKE_ADDRESS')),
    wakePort: integer('WAKE_PORT', 9, [1, 65_535]),
    anchorFile: parsePath(text('AUDIT_ANCHOR_FILE')),
    anchorUrl: parseAnchorUrl(text('AUDIT_ANCHOR_URL')),
    otlp: readOtlp(text('OTLP_ENDPOINT') ?? (environment.OTEL_EXPORTER_OTLP_ENDPOINT || undefined), integer),
    logLevel: oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  }
}

/** How people sign in to the console, and for how long. */
function readSessions(integer: ReadInteger, isOn: (name: string, fallback: boolean) => boolean) {
  return {
    sessionIdleMinutes: integer('SESSION_IDLE_MINUTES', 30, [1, 10_080]),
    sessionHours: integer('SESSION_HOURS', 10, [1, 168]),
    localSignIn: isOn('LOCAL_SIGN_IN', true),
    signInLinks: isOn('SIGN_IN_LINKS', true),
  }
}

/** How many days the past is kept. */
function readRetention(integer: ReadInteger) {
  return {
    taskRetentionDays: integer('TASK_RETENTION_DAYS', 30, [1, 3_650]),
    eventRetentionDays: integer('EVENT_RETENTION_DAYS', 30, [1, 3_650]),
  }
}

/** What protects the fleet from a mistake of a person. */
function readSafeguards(integer: ReadInteger) {
  return {
    maxRingPercent: integer('MAX_RING_PERCENT', 100, [1, 100]),
    confirmCountAbove: integer('CONFIRM_COUNT_ABOVE', 20, [0, 1_000_000]),
  }
}

function parseOption<const V extends string>(name: string, value: string, values: readonly V[]): V {
  const known = values.find((candidate) => candidate === value)
  if (!known) throw new ConfigurationError(`MUSTER_${name} must be one of ${values.join(', ')}, not '${value}'.`)
  return known
}

function parseInteger(name: string, value: string, [min, max]: [number, number]): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new ConfigurationError(`MUSTER_${name} must be a whole number from ${min} to ${max}, not '${value}'.`)
}

/** An address without a path, because paths are appended to it. */
function parseOrigin(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (!url || !['http:', 'https:'].includes(url.protocol) || `${url.origin}/` !== url.href)
    throw new ConfigurationError(`${name} must be an address such as https://muster.example.org, not '${value}'.`)
  return url.origin
}

function deriveBootUrl(publicUrl: string | undefined, port: number | undefined): string | undefined {
  return publicUrl && port ? `http://${new URL(publicUrl).hostname}:${port}` : undefined
}

function parseAnchorUrl(value: string | undefined): string | undefined {
  const url = value === undefined ? undefined : URL.parse(value)
  if (url === undefined || (url && isTrustworthy(url))) return value
  throw new ConfigurationError(
    'MUSTER_AUDIT_ANCHOR_URL must start with https://; http:// is allowed for loopback addresses only.',
  )
}

function parsePath(value: string | undefined): string | undefined {
  return value && resolve(value)
}

function openKeyFile(path: string | undefined): KeyFile | undefined {
  return path === undefined ? undefined : readKeyFile(path)
}

function readProvidersFile(file: string | undefined): IdentityProvider[] {
  return file === undefined ? [] : readIdentityProviders(resolve(file))
}

function parseWakeAddress(value: string | undefined): string | undefined {
  if (value && !isIP(value)) throw new ConfigurationError(`MUSTER_WAKE_ADDRESS must be an IP address, not '${value}'.`)
  return value
}

function parseProxyAddress(value: string): string {
  if (isAddressRange(value)) return value
  throw new ConfigurationError(`MUSTER_TRUSTED_PROXIES must list addresses or CIDR ranges, not '${value}'.`)
}
