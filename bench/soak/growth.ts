import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../../server/src/database/connect.ts'
import { isDatabaseUnavailable } from '../../server/src/database/errors.ts'
import type { Node } from '../nodes.ts'
import { reportTarget } from '../target.ts'
import { pause } from './duration.ts'

export type Sample = {
  at: number
  /** Memory of each node. */
  megabytes: number[]
  /** Dead rows per live row, by table. */
  deadShares: Record<string, number>
}

const secondsBetweenSamples = 5
/** The maximum ratio of the memory at the end to that after the warm-up. */
const memoryTarget = 1.5
/** The maximum growth of the memory over the second half, as a share of its mean. */
const slopeTarget = 0.15
/** Autovacuum starts at a fifth and runs once a minute, while a small table may change several times. */
const deadRowsTarget = 1
const deadRowsGrowthTarget = 0.2
/** Smaller tables are ignored. */
const minRows = 1_000
const maxShownTables = 6

/** Adds a sample every few seconds. */
export async function collectSamples(
  db: Database,
  nodes: readonly Node[],
  samples: Sample[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // There is no sample while the database is unavailable.
    const deadShares = await fetchDeadShares(db).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
    })
    if (deadShares) samples.push({ at: Date.now(), megabytes: await readResidentMegabytes(nodes), deadShares })
    await pause(secondsBetweenSamples, signal)
  }
}

async function fetchDeadShares(db: Database): Promise<Record<string, number>> {
  // A crash resets the row counters, but not the estimate of the planner.
  const { rows } = await sql<{ name: string; share: number }>`
    select pg_class.relname as name, n_dead_tup / greatest(n_live_tup, reltuples)::float8 as share
    from pg_stat_user_tables join pg_class on pg_class.oid = relid
    where greatest(n_live_tup, reltuples) >= ${minRows}`.execute(db)
  return Object.fromEntries(rows.map(({ name, share }) => [name, share]))
}

async function readResidentMegabytes(nodes: readonly Node[]): Promise<number[]> {
  const texts = await Promise.all(nodes.map(({ pid }) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')))
  return texts.map((text) => Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024))
}

/** The table with the largest share of dead rows. */
export function worstTable({ deadShares }: Sample): { name: string; share: number } {
  const [worst] = Object.entries(deadShares).toSorted(([, a], [, b]) => b - a)
  return { name: worst?.[0] ?? 'none', share: worst?.[1] ?? 0 }
}

export function reportGrowth(samples: readonly Sample[], nodes: readonly Node[]): void {
  // The first tenth is the warm-up.
  const settled = samples.slice(Math.floor(samples.length / 10))
  if (settled.length < 6) throw new Error('The run was too short to measure growth.')
  // The first node was replaced, so its memory is not comparable.
  for (const node of nodes.keys()) if (node > 0) reportMemory(node, settled)
  reportDeadRows(settled)
}

function reportMemory(node: number, samples: readonly Sample[]): void {
  const series = samples.map(({ at, megabytes }) => ({ at, value: megabytes[node] ?? 0 }))
  const some = Math.max(1, Math.floor(series.length / 10))
  const [first, last] = [meanOf(series.slice(0, some)), meanOf(series.slice(-some))]
  reportTarget(
    `memory of node ${node + 1}, which kept running: ${first.toFixed(0)} MB, then ${last.toFixed(0)} MB, target at most ${memoryTarget} times`,
    last <= memoryTarget * first,
  )
  const half = series.slice(Math.floor(series.length / 2))
  const perHour = slopeOf(half) * 3_600_000
  const grown = (slopeOf(half) * ((half.at(-1)?.at ?? 0) - (half[0]?.at ?? 0))) / meanOf(half)
  reportTarget(
    `its growth over the second half: ${perHour.toFixed(1)} MB per hour, ${(100 * grown).toFixed(1)} % in total, target at most ${100 * slopeTarget} %`,
    grown <= slopeTarget,
  )
}

function reportDeadRows(samples: readonly Sample[]): void {
  const third = Math.floor(samples.length / 3)
  const names = new Set(samples.flatMap(({ deadShares }) => Object.keys(deadShares)))
  const tables = [...names].map((table) => {
    const shares = samples.map(({ deadShares }) => deadShares[table] ?? 0)
    const mean = (some: readonly number[]) => some.reduce((sum, share) => sum + share, 0) / some.length
    return { table, max: Math.max(...shares), first: mean(shares.slice(0, third)), last: mean(shares.slice(-third)) }
  })
  const byMax = tables.toSorted((a, b) => b.max - a.max)
  const byGrowth = tables.toSorted((a, b) => b.last - b.first - (a.last - a.first))
  const [worst, grown] = [byMax[0], byGrowth[0]]
  if (!worst || !grown) throw new Error(`No table has at least ${minRows} rows.`)
  console.log('Dead rows per live row: the maximum, and the means of the first and the last third:')
  console.table(
    byMax.slice(0, maxShownTables).map(({ table, ...shares }) => ({
      table,
      ...Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, Math.round(share * 100) / 100])),
    })),
  )
  reportTarget(
    `dead rows: up to ${worst.max.toFixed(2)} per live row, in ${worst.table}, target at most ${deadRowsTarget}`,
    worst.max <= deadRowsTarget,
  )
  reportTarget(
    `dead rows grow most in ${grown.table}: ${grown.first.toFixed(2)} in the first third, ${grown.last.toFixed(2)} in the last, target at most ${deadRowsGrowthTarget} more`,
    grown.last - grown.first <= deadRowsGrowthTarget,
  )
}

type Point = { at: number; value: number }

const meanOf = (points: readonly Point[]) => points.reduce((sum, { value }) => sum + value, 0) / points.length

/** The slope per millisecond, by least squares. */
function slopeOf(points: readonly Point[]): number {
  const meanTime = points.reduce((sum, { at }) => sum + at, 0) / points.length
  const mean = meanOf(points)
  const covariance = points.reduce((sum, { at, value }) => sum + (at - meanTime) * (value - mean), 0)
  return covariance / points.reduce((sum, { at }) => sum + (at - meanTime) ** 2, 0)
}
