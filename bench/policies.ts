import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PatchRule } from '../server/src/features/patches/policies/patch-rules.ts'
import { withPatchedFleet } from './patches.ts'
import { round } from './round.ts'
import type { BenchService } from './service.ts'
import { reportTarget } from './target.ts'

/** In milliseconds, for the slowest rehearsal of the whole fleet. */
const rehearsalTarget = 2_000
const rehearsals = 10
const days = 90

/** The rules with which the guide begins, and one that reads every pattern. */
const rules: PatchRule[] = [
  { name: 'No previews', action: 'Decline', titles: ['*preview*'] },
  { name: 'Critical after 2 days', action: 'Approve', afterDays: 2, severities: ['Critical'] },
  { name: 'Exploited after 2 days', action: 'Approve', afterDays: 2, exploited: true },
  { name: 'Feature updates by hand', action: 'Review', types: ['SoftwareDistribution'] },
  { name: 'Some products later', action: 'Approve', afterDays: 21, products: ['*1?'], titles: ['*7 of a *'] },
  { name: 'The rest after a week', action: 'Approve', afterDays: 7 },
]

type Call = <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => Promise<T>

/** Rehearsals of the whole fleet and of a part of it, changes of rules, and what decides about the patches of a computer. */
export async function benchPolicies(): Promise<void> {
  await withPatchedFleet(async (service) => {
    const { db } = service.database
    // Their releases are spread over five years until today, whenever the fleet was built.
    await sql`update patches set release_date = current_date - id % 1825`.execute(db)
    await sql`vacuum analyze patches`.execute(db)
    const call = callerOf(service)
    const { rows } = await sql<{ id: string; is_root: boolean }>`
      select id, parent_id is null as is_root from groups
      where tree = 'ConfigurationGroups' and (parent_id is null or depth = 1) order by depth, path limit 2`.execute(db)
    const [root, part] = rows
    if (!root || !part) throw new Error('The fleet has no groups.')
    await benchRehearsals(call, part.id)
    await benchPolicy(call, root.id)
  })
}

function callerOf({ app, headers }: BenchService): Call {
  return async <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
    const answer = await app.http.inject({
      method,
      url,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
    return (answer.body === '' ? undefined : answer.json()) as T
  }
}

type Rehearsed = { patchCount: number; computerCount: number; scannedComputers: number; isEstimate: boolean }

async function benchRehearsals(call: Call, groupId: string): Promise<void> {
  const measured = []
  for (const [name, scope] of [
    ['whole fleet', {}],
    ['a group of the second level', { groupId }],
  ] as const) {
    const times: number[] = []
    let last: Rehearsed | undefined
    for (let at = 0; at < rehearsals; at++) {
      const start = performance.now()
      last = await call<Rehearsed>('POST', '/api/patch-policies/rehearsal', { rules, days, ...scope })
      times.push(performance.now() - start)
    }
    const sorted = times.toSorted((a, b) => a - b)
    measured.push({
      rehearsal: name,
      'median ms': round(sorted[Math.floor(rehearsals / 2)] ?? 0),
      'slowest ms': round(sorted.at(-1) ?? 0),
      scanned: last?.scannedComputers,
      computers: last?.computerCount,
      patches: last?.patchCount,
      estimate: last?.isEstimate,
    })
  }
  console.table(measured)
  const slowest = measured[0]?.['slowest ms'] ?? Number.POSITIVE_INFINITY
  reportTarget(
    `rehearsal of ${days} days over the whole fleet: ${slowest} ms, at most ${rehearsalTarget}`,
    slowest <= rehearsalTarget,
  )
}

/** How long each step of the life of a policy takes that all computers have. */
async function benchPolicy(call: Call, rootId: string): Promise<void> {
  const times: Record<string, { ms: number }> = {}
  const measure = async <T>(name: string, run: () => Promise<T>) => {
    const start = performance.now()
    const result = await run()
    times[name] = { ms: round(performance.now() - start) }
    return result
  }
  const body = { name: `Bench ${randomUUID()}`, rules }
  const { id } = await measure('creation', () => call<{ id: number }>('POST', '/api/patch-policies', body))
  const path = `/api/patch-policies/${id}`
  try {
    await measure('assignment to all computers', () => call('POST', `${path}/assignments`, { groupId: rootId }))
    await measure('change of all rules', () => call('PATCH', path, { rules: rules.toReversed() }))
    await call('GET', '/api/computer/777/patch-rulings')
    await measure('what decides about the patches of a computer', () => call('GET', '/api/computer/777/patch-rulings'))
  } finally {
    await measure('deletion', () => call('DELETE', path))
    console.table(times)
  }
}
