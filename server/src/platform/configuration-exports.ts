import { resolve } from 'node:path'
import { isTrustworthy } from './authentication/identity-provider-file.ts'
import { ConfigurationError } from './configuration-error.ts'
import type { ReadInteger } from './configuration-limits.ts'

export type OtlpSettings = {
  /** The address of the collector to which spans are posted. */
  url: string
  /** The percentage of traces that begin here and are exported. A trace of a caller is exported if the caller records it. */
  samplePercent: number
}

/** What the service tells other systems about itself. */
export function readExports(
  text: (name: string) => string | undefined,
  integer: ReadInteger,
  standardOtlpEndpoint: string | undefined,
) {
  const anchorFile = text('AUDIT_ANCHOR_FILE')
  return {
    anchorFile: anchorFile && resolve(anchorFile),
    anchorUrl: parseAnchorUrl(text('AUDIT_ANCHOR_URL')),
    otlp: readOtlp(text('OTLP_ENDPOINT') ?? (standardOtlpEndpoint || undefined), integer),
  }
}

function parseAnchorUrl(value: string | undefined): string | undefined {
  const url = value === undefined ? undefined : URL.parse(value)
  if (url === undefined || (url && isTrustworthy(url))) return value
  throw new ConfigurationError(
    'MUSTER_AUDIT_ANCHOR_URL must start with https://; http:// is allowed for loopback addresses only.',
  )
}

/** The other standard variables, such as OTEL_EXPORTER_OTLP_HEADERS, are read by the exporter. */
function readOtlp(endpoint: string | undefined, integer: ReadInteger): OtlpSettings | undefined {
  const samplePercent = integer('OTLP_SAMPLE_PERCENT', 100, [0, 100])
  if (endpoint === undefined) return undefined
  const url = URL.parse(`${endpoint.replace(/\/+$/, '')}/v1/traces`)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new ConfigurationError(
      `MUSTER_OTLP_ENDPOINT must be an address such as https://collector.example.org:4318, not '${endpoint}'.`,
    )
  return { url: url.href, samplePercent }
}
