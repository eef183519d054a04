import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { isDatabaseUnavailable } from '../../src/database/errors.ts'
import type { Node } from '../nodes.ts'
import { verdict } from '../verdict.ts'
import { pause } from './length.ts'

export type Look = {
  at: number
  /** Of each node. */
  megabytes: number[]
  /** For each row that lives, by table. */
  deadShares: Record<string, number>
}

const secondsBetweenLooks = 5
/** Memory at the end to memory after the warming up. */
const memoryBar = 1.5
/** By how much of its mean the memory may grow over the second half. */
const slopeBar = 0.15
/** Vacuum begins at a fifth and comes once in a minute, in which a small table may change several times. */
const deadRowsBar = 1
const deadRowsGrowthBar = 0.2
/** A share of a few rows says nothing. */
const leastRows = 1_000
const shownTables = 6

/** Adds a look every few seconds. */
export async function watch(db: Database, nodes: readonly Node[], looks: Look[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // While the database is away, there is nothing to see.
    const deadShares = await deadSharesOf(db).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
    })
    if (deadShares) looks.push({ at: Date.now(), megabytes: await residentMegabytes(nodes), deadShares })
    await pause(secondsBetweenLooks, signal)
  }
}

async function deadSharesOf(db: Database): Promise<Record<string, number>> {
  // The counters of rows begin at zero after a crash, the estimate of the planner does not.
  const { rows } = await sql<{ name: string; share: number }>`
    select pg_class.relname as name, n_dead_tup / greatest(n_live_tup, reltuples)::float8 as share
    from pg_stat_user_tables join pg_class on pg_class.oid = relid
    where greatest(n_live_tup, reltuples) >= ${leastRows}`.execute(db)
  return Object.fromEntries(rows.map(({ name, share }) => [name, share]))
}

async function residentMegabytes(nodes: readonly Node[]): Promise<number[]> {
  const texts = await Promise.all(nodes.map(({ pid }) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')))
  return texts.map((text) => Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024))
}

/** The table that has most dead rows for each that lives. */
export function worstTable({ deadShares }: Look): { name: string; share: number } {
  const [worst] = Object.entries(deadShares).toSorted(([, a], [, b]) => b - a)
  return { name: worst?.[0] ?? 'none', share: worst?.[1] ?? 0 }
}

export function tellGrowth(looks: readonly Look[], nodes: readonly Node[]): void {
  // The first tenth is the warming up.
  const settled = looks.slice(Math.floor(looks.length / 10))
  if (settled.length < 6) throw new Error('There was too little time to see anything grow.')
  // A node that was replaced has begun anew.
  for (const node of nodes.keys()) if (node > 0) tellMemory(node, settled)
  tellDeadRows(settled)
}

function tellMemory(node: number, looks: readonly Look[]): void {
  const series = looks.map(({ at, megabytes }) => ({ at, value: megabytes[node] ?? 0 }))
  const some = Math.max(1, Math.floor(series.length / 10))
  const [first, last] = [meanOf(series.slice(0, some)), meanOf(series.slice(-some))]
  verdict(
    `memory of node ${node + 1}, which lived on: ${first.toFixed(0)} MB, then ${last.toFixed(0)} MB, bar ${memoryBar} times`,
    last <= memoryBar * first,
  )
  const half = series.slice(Math.floor(series.length / 2))
  const perHour = slopeOf(half) * 3_600_000
  const grown = (slopeOf(half) * ((half.at(-1)?.at ?? 0) - (half[0]?.at ?? 0))) / meanOf(half)
  verdict(
    `its slope over the second half: ${perHour.toFixed(1)} MB per hour, ${(100 * grown).toFixed(1)} % meanwhile, bar ${100 * slopeBar} %`,
    grown <= slopeBar,
  )
}

function tellDeadRows(looks: readonly Look[]): void {
  const third = Math.floor(looks.length / 3)
  const names = new Set(looks.flatMap(({ deadShares }) => Object.keys(deadShares)))
  const tables = [...names].map((table) => {
    const shares = looks.map(({ deadShares }) => deadShares[table] ?? 0)
    const mean = (some: readonly number[]) => some.reduce((sum, share) => sum + share, 0) / some.length
    return { table, most: Math.max(...shares), first: mean(shares.slice(0, third)), last: mean(shares.slice(-third)) }
  })
  const byMost = tables.toSorted((a, b) => b.most - a.most)
  const byGrowth = tables.toSorted((a, b) => b.last - b.first - (a.last - a.first))
  const [worst, grown] = [byMost[0], byGrowth[0]]
  if (!worst || !grown) throw new Error('No table has rows enough.')
  console.log('Dead rows for each that lives: the most, and the means of the first and the last third:')
  console.table(
    byMost.slice(0, shownTables).map(({ table, ...shares }) => ({
      table,
      ...Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, Math.round(share * 100) / 100])),
    })),
  )
  verdict(
    `dead rows: at most ${worst.most.toFixed(2)} for each that lives, in ${worst.table}, bar ${deadRowsBar}`,
    worst.most <= deadRowsBar,
  )
  verdict(
    `dead rows grow most in ${grown.table}: ${grown.first.toFixed(2)} in the first third, ${grown.last.toFixed(2)} in the last, bar ${deadRowsGrowthBar} more`,
    grown.last - grown.first <= deadRowsGrowthBar,
  )
}

type Point = { at: number; value: number }

const meanOf = (points: readonly Point[]) => points.reduce((sum, { value }) => sum + value, 0) / points.length

/** By least squares, for each millisecond. */
function slopeOf(points: readonly Point[]): number {
  const meanTime = points.reduce((sum, { at }) => sum + at, 0) / points.length
  const mean = meanOf(points)
  const together = points.reduce((sum, { at, value }) => sum + (at - meanTime) * (value - mean), 0)
  return together / points.reduce((sum, { at }) => sum + (at - meanTime) ** 2, 0)
}
