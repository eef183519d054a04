/** Values from the metrics of a service at one time. */
export type ServiceFigures = { requests: number; statements: number; cpuSeconds: number; residentBytes: number }

/** Reads the metrics of the service. Returns undefined if they are not available. */
export async function fetchServiceFigures(server: string, apiToken: string): Promise<ServiceFigures | undefined> {
  const headers = { authorization: `Bearer ${apiToken}` }
  const answer = await fetch(new URL('metrics', server.replace(/\/*$/, '/')), { headers }).catch(() => undefined)
  if (!answer?.ok) return undefined
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
