import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ClientsLoad } from './load-by-clients.ts'

export type Load = { requestsPerSecond: number; p99: number }

const maxBuffer = 64 * 1024 * 1024

const autocannon = createRequire(import.meta.url).resolve('autocannon')

/** Sends requests to one URL as fast as possible, from a separate process. Fails on any status other than success. */
export async function load(url: string, headers: Record<string, string>, seconds: number): Promise<Load> {
  const headerArguments = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [autocannon, '--json', '-c', '32', '-d', String(seconds), ...headerArguments, url],
    { maxBuffer },
  )
  return parseFigures(url, stdout)
}

/** The same with several clients. Each has its own connection and posts its own body. */
export async function loadByClients(plan: ClientsLoad): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  try {
    const file = join(folder, 'plan.json')
    await writeFile(file, JSON.stringify(plan))
    const program = join(import.meta.dirname, 'load-by-clients.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [program, file], { maxBuffer })
    return parseFigures(plan.url, stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function parseFigures(url: string, output: string): Load {
  const { requests, latency, non2xx, errors } = JSON.parse(output)
  if (non2xx > 0 || errors > 0)
    throw new Error(`${url}: ${non2xx} requests had an error status, ${errors} had no answer.`)
  return { requestsPerSecond: requests.average, p99: latency.p99 }
}

/** Runs the candidates in turn so that other load on the machine affects all of them alike. Returns their medians. */
export async function compare(
  candidates: Record<string, () => Promise<Load>>,
  rounds: number,
): Promise<Record<string, Load>> {
  const results: Record<string, Load[]> = {}
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(candidates)) results[name] = [...(results[name] ?? []), await run()]
  return Object.fromEntries(Object.entries(results).map(([name, loads]) => [name, median(loads)]))
}

function median(loads: Load[]): Load {
  const sorted = loads.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond)
  return sorted[Math.floor(sorted.length / 2)] ?? { requestsPerSecond: 0, p99: 0 }
}
