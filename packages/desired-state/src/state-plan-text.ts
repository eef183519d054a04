import { formatCount } from './format-count.ts'
import type { StatePlaces } from './state-places.ts'

export type PlannedStateChange = {
  section: string
  name: string
  action: 'add' | 'change' | 'remove'
  fields: { field: string; before: string | null; after: string | null }[]
  computers: number
  members: { joining: number; leaving: number } | null
  blockers: string[]
  fingerprint: string
}

export type StatePlanAnswer = {
  added: number
  changed: number
  removed: number
  changes: PlannedStateChange[]
  secrets: string[]
  missingRoles: string[]
}

export type AppliedStateAnswer = {
  applied: number
  remaining: number
  work: { group: string; computers: number; workItems: number | null }[] | null
}

/** The lines of a plan: each change with what it affects, and the totals. */
export function describeStatePlan(
  { changes, added, changed, removed }: StatePlanAnswer,
  places: StatePlaces,
): string[] {
  return [
    ...changes.flatMap((change) => describeChange(change, places)),
    `Planned: ${added} added, ${changed} changed, ${removed} removed.`,
  ]
}

function describeChange(change: PlannedStateChange, places: StatePlaces): string[] {
  const { action, section, name, computers, members, fields, blockers } = change
  return [
    `${action.padEnd(6)} ${section} ${name}${computers > 0 ? ` (${formatCount(computers, 'computer')})` : ''}`,
    ...(members
      ? [`         ${formatCount(members.joining, 'computer')} would join, ${members.leaving} would leave`]
      : []),
    ...fields.map(({ field, before, after }) => `         ${field}: ${before ?? '—'} → ${after ?? '—'}`),
    ...blockers.map((blocker) => `         blocked: ${[...places.ofObject(section, name), blocker].join(': ')}`),
  ]
}

/** The lines of a rehearsal: how much of it succeeds, and the work that activations would create. */
export function describeRehearsal({ applied, remaining, work }: AppliedStateAnswer): string[] {
  const total = applied + remaining
  return [
    remaining === 0
      ? `Rehearsed: ${formatCount(total, 'change')} would succeed.`
      : `Rehearsed: the first ${applied} of ${total} changes would succeed. The others take too long to try; the work is that of the first.`,
    ...(work ?? []).map(
      ({ group, computers, workItems }) =>
        `An activation of ${group} would create ${workItems === null ? 'very many work items' : formatCount(workItems, 'work item')} for ${formatCount(computers, 'computer')}.`,
    ),
  ]
}
