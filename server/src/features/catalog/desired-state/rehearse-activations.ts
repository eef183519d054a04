import { sql } from 'kysely'
import type { Call } from '../../../platform/operation.ts'
import type { ComputedPlan, PlannedChange } from './state-plan.ts'

type Work = { group: string; computers: number; workItems: number | null }

/**
 * In a dry run, after the changes: activates the topmost groups among those that were changed, and counts the work.
 * Everything is rolled back. Null if the caller may not activate.
 */
export async function rehearseActivations(
  { db, caller, runParts }: Pick<Call, 'db' | 'caller' | 'runParts'>,
  { reading }: ComputedPlan,
  changes: readonly PlannedChange[],
  isOver: () => boolean,
): Promise<Work[] | null> {
  if (!caller.principal.roles.has('activation.execute')) return null
  const work: Work[] = []
  const computersIn = countComputers(changes)
  for (const group of listTopmost(changes)) {
    const id = reading.current.get('groups')?.get(group.toLowerCase())?.id
    if (id === undefined) continue
    if (isOver()) {
      work.push({ group, computers: computersIn.get(group) ?? 0, workItems: null })
      continue
    }
    const request = { operation: 'activateGroup', params: { id }, body: { software: true, global: false } }
    const [answer] = (await runParts([request])) as [{ computerCount: number; trackingId: string | null }]
    work.push({ group, computers: answer.computerCount, workItems: await countWork({ db }, answer.trackingId) })
  }
  return work
}

/** How many computers the changes of each group affect at most. */
function countComputers(changes: readonly PlannedChange[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { object, computers } of changes)
    for (const group of object.groups ?? []) counts.set(group, Math.max(counts.get(group) ?? 0, computers))
  return counts
}

/** The groups with computers about which the changes are, without those below others. */
function listTopmost(changes: readonly PlannedChange[]): string[] {
  const affected = changes.filter(
    ({ computers, action, section }) => computers > 0 && !(action === 'remove' && section === 'groups'),
  )
  return withoutDescendants(affected.flatMap(({ object }) => object.groups ?? []))
}

/** The paths that are not below another one of them, each once, regardless of case. */
export function withoutDescendants(paths: readonly string[]): string[] {
  const byKey = new Map(paths.map((path) => [path.toLowerCase(), path]))
  return [...byKey].flatMap(([key, path]) => (hasAncestorIn(byKey, key) ? [] : [path])).sort()
}

function hasAncestorIn(known: ReadonlyMap<string, string>, key: string): boolean {
  for (let at = key.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : key.lastIndexOf('/', at - 1))
    if (known.has(key.slice(0, at))) return true
  return false
}

/** Null if the activation is so large that its work is created later. */
async function countWork({ db }: Pick<Call, 'db'>, taskId: string | null): Promise<number | null> {
  const { rows } = await sql<{ items: number; isSliced: boolean }>`
    select (select count(*) from work where task_id = ${taskId})::integer as items,
      exists (select from sliced_activations where task_id = ${taskId}) as "isSliced"`.execute(db)
  const [{ items, isSliced } = { items: 0, isSliced: false }] = rows
  return isSliced ? null : items
}
