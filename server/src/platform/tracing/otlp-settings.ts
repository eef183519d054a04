import { ConfigurationError } from '../configuration-error.ts'
import type { ReadInteger } from '../configuration-limits.ts'

export type OtlpSettings = {
  /** The address of the collector to which spans are posted. */
  url: string
  /** The percentage of traces that begin here and are exported. A trace of a caller is exported if the caller records it. */
  samplePercent: number
}

/** The other standard variables, such as OTEL_EXPORTER_OTLP_HEADERS, are read by the exporter. */
export function readOtlp(endpoint: string | undefined, integer: ReadInteger): OtlpSettings | undefined {
  const samplePercent = integer('OTLP_SAMPLE_PERCENT', 100, [0, 100])
  if (endpoint === undefined) return undefined
  const url = URL.parse(`${endpoint.replace(/\/+$/, '')}/v1/traces`)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new ConfigurationError(
      `MUSTER_OTLP_ENDPOINT must be an address such as https://collector.example.org:4318, not '${endpoint}'.`,
    )
  return { url: url.href, samplePercent }
}
