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
  for (const group of listTopmost(changes)) {
    const id = reading.current.get('groups')?.get(group.toLowerCase())?.id
    if (id === undefined) continue
    if (isOver()) {
      work.push({ group, computers: computersIn(group, changes), workItems: null })
      continue
    }
    const request = { operation: 'activateGroup', params: { id }, body: { software: true, global: false } }
    const [answer] = (await runParts([request])) as [{ computerCount: number; trackingId: string | null }]
    work.push({ group, computers: answer.computerCount, workItems: await countWork({ db }, answer.trackingId) })
  }
  return work
}

const computersIn = (group: string, changes: readonly PlannedChange[]) =>
  Math.max(...changes.filter(({ object }) => object.groups?.includes(group)).map(({ computers }) => computers))

/** The groups with computers about which the changes are, without those below others. */
function listTopmost(changes: readonly PlannedChange[]): string[] {
  const affected = changes.filter(
    ({ computers, action, section }) => computers > 0 && !(action === 'remove' && section === 'groups'),
  )
  const paths = [...new Set(affected.flatMap(({ object }) => object.groups ?? []))].sort()
  const isBelow = (path: string, other: string) => path.toLowerCase().startsWith(`${other.toLowerCase()}/`)
  return paths.filter((path) => !paths.some((other) => isBelow(path, other)))
}

/** Null if the activation is so large that its work is created later. */
async function countWork({ db }: Pick<Call, 'db'>, taskId: string | null): Promise<number | null> {
  const { rows } = await sql<{ items: number; isSliced: boolean }>`
    select (select count(*) from work where task_id = ${taskId})::integer as items,
      exists (select from sliced_activations where task_id = ${taskId}) as "isSliced"`.execute(db)
  const [{ items, isSliced } = { items: 0, isSliced: false }] = rows
  return isSliced ? null : items
}
