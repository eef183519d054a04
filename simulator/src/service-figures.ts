import type { MusterClient } from '@muster/client'

/** Values from the metrics of a service at one time. */
export type ServiceFigures = { requests: number; statements: number; cpuSeconds: number; residentBytes: number }

/** Reads the metrics of the service. Returns undefined if they are not available. */
export async function fetchServiceFigures({ address, send }: MusterClient): Promise<ServiceFigures | undefined> {
  const answer = await send(new Request(new URL('metrics', address.replace(/\/*$/, '/')))).catch(() => undefined)
  if (!answer) return undefined
  const text = await answer.text()
  return {
    requests: sumOf(text, 'muster_http_request_duration_seconds_count'),
    statements: sumOf(text, 'muster_database_statements_total'),
    cpuSeconds: sumOf(text, 'process_cpu_seconds_total'),
    residentBytes: sumOf(text, 'process_resident_memory_bytes'),
  }
}

/** Sums a metric over all its labels. */
function sumOf(text: string, name: string): number {
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'gm'))
  return [...lines].reduce((sum, [, value]) => sum + Number(value), 0)
}
