import type { Database } from '../../database/connect.ts'
import type { Static } from '../../platform/schema.ts'
import { invalidPart } from '../../platform/validation.ts'
import { findTimeZone } from '../distribution/schedule.ts'
import type { MaintenanceWindow } from '../hand-out/rollout-windows.ts'
import type { RingRequest } from './api/request-schemas.ts'
import type { NewRing } from './create-rollout-record.ts'
import type { RingRule } from './ring-membership.ts'

type Ring = Static<typeof RingRequest>

/** Checks the rules that the schema of rings cannot express, and fills in defaults. `windows` are those of all rings. */
export function parseRings(rings: readonly Ring[], windows: MaintenanceWindow[] = []): NewRing[] {
  return rings.map((ring, index) => ({
    name: ring.name ?? `${index + 1}`,
    rule: parseRule(ring, index, index === rings.length - 1),
    releaseMinutes: ring.releaseMinutes ?? 0,
    windows: ring.windows ?? windows,
  }))
}

function parseRule({ count, percent, groupId }: Ring, index: number, isLast: boolean): RingRule {
  const rules: RingRule[] = []
  if (count !== undefined) rules.push({ kind: 'Count', size: count })
  if (percent !== undefined) rules.push({ kind: 'Percent', size: percent })
  if (groupId !== undefined) rules.push({ kind: 'Group', groupId })
  const [rule] = rules
  if (rules.length > 1) throw invalidPart('body', `rings.${index}`, 'must have only one of count, percent and groupId')
  if (rule) return rule
  if (!isLast) throw invalidPart('body', `rings.${index}`, 'must have count, percent or groupId, unless it is the last')
  return { kind: 'Rest' }
}

/** Throws if the group of a ring does not exist. */
export async function requireRingGroups(db: Database, rings: readonly NewRing[]): Promise<void> {
  const ids = rings.flatMap(({ rule }) => (rule.kind === 'Group' ? [rule.groupId] : []))
  if (ids.length === 0) return
  const found = await db.selectFrom('groups').select('id').where('id', 'in', ids).execute()
  const missing = rings.findIndex(
    ({ rule }) => rule.kind === 'Group' && !found.some(({ id }) => id === rule.groupId.toLowerCase()),
  )
  if (missing >= 0) throw invalidPart('body', `rings.${missing}.groupId`, 'is not the id of a group')
}

/** The time zone by its usual name. Throws if there is none. */
export function parseTimeZone(name: string): string {
  const timeZone = findTimeZone(name)
  if (timeZone === undefined)
    throw invalidPart('body', 'timeZone', 'must be a time zone of the IANA database, such as Europe/Berlin')
  return timeZone
}
