import type { Database } from '../../../database/connect.ts'
import type { Static } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import type { Creator } from '../../deployments/tasks.ts'
import { parseUserDeadline } from '../../distribution/user-deadline.ts'
import type { NewRing, NewRollout } from '../create-rollout-record.ts'
import { completeCriteria } from '../criteria.ts'
import type { RingRule } from '../ring-membership.ts'
import type { CreateRolloutRequest } from './request-schemas.ts'

type Body = Static<typeof CreateRolloutRequest>

/** Checks the rules that the schema cannot express, and fills in defaults. */
export async function parseRollout(db: Database, body: Body, createdBy: Creator): Promise<Omit<NewRollout, 'limits'>> {
  const rings = body.rings.map((ring, index): NewRing => {
    const isLast = index === body.rings.length - 1
    return {
      name: ring.name ?? `${index + 1}`,
      rule: parseRule(ring, index, isLast),
      releaseMinutes: ring.releaseMinutes ?? 0,
      windows: ring.windows ?? body.windows ?? [],
    }
  })
  await requireRingGroups(db, rings)
  return {
    name: body.name,
    groupId: body.groupId,
    packageId: body.packageId ?? null,
    isEmergency: body.emergency ?? false,
    criteria: completeCriteria(body.criteria ?? {}),
    timeZone: body.timeZone == null ? null : parseTimeZone(body.timeZone),
    deadlineAt: body.deadlineUtc ?? null,
    userDeadline: parseUserDeadline(body.userDeadline),
    catchUpDays: body.catchUpDays ?? 14,
    createdBy,
    rings,
  }
}

function parseRule({ count, percent, groupId }: Body['rings'][number], index: number, isLast: boolean): RingRule {
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

async function requireRingGroups(db: Database, rings: readonly NewRing[]): Promise<void> {
  const ids = rings.flatMap(({ rule }) => (rule.kind === 'Group' ? [rule.groupId] : []))
  if (ids.length === 0) return
  const found = await db.selectFrom('groups').select('id').where('id', 'in', ids).execute()
  const missing = rings.findIndex(
    ({ rule }) => rule.kind === 'Group' && !found.some(({ id }) => id === rule.groupId.toLowerCase()),
  )
  if (missing >= 0) throw invalidPart('body', `rings.${missing}.groupId`, 'is not the id of a group')
}

function parseTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    throw invalidPart('body', 'timeZone', 'must be a time zone of the IANA database, such as Europe/Berlin')
  }
}
