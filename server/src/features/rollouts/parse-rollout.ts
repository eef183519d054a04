import type { Database } from '../../database/connect.ts'
import type { Static } from '../../platform/schema.ts'
import type { Creator } from '../deployments/tasks.ts'
import { parseUserDeadline } from '../distribution/user-deadline.ts'
import type { CreateRolloutRequest } from './api/request-schemas.ts'
import type { NewRollout } from './create-rollout-record.ts'
import { completeCriteria } from './criteria.ts'
import { parseRings, parseTimeZone, requireRingGroups } from './parse-rings.ts'

type Body = Static<typeof CreateRolloutRequest>

/** How a rollout goes on, whatever it brings. */
export type RolloutSettings = Omit<NewRollout, 'name' | 'groupId' | 'packageId' | 'createdBy' | 'limits'>

/** Checks the rules that the schema cannot express, and fills in defaults. */
export async function parseRollout(db: Database, body: Body, createdBy: Creator): Promise<Omit<NewRollout, 'limits'>> {
  return {
    name: body.name,
    groupId: body.groupId,
    packageId: body.packageId ?? null,
    createdBy,
    ...(await parseRolloutSettings(db, body)),
  }
}

/** The same for what does not depend on the group and the package. */
export async function parseRolloutSettings(
  db: Database,
  body: Omit<Body, 'name' | 'groupId' | 'packageId'>,
): Promise<RolloutSettings> {
  const rings = parseRings(body.rings, body.windows)
  await requireRingGroups(db, rings)
  return {
    isEmergency: body.emergency ?? false,
    criteria: completeCriteria(body.criteria ?? {}),
    timeZone: body.timeZone == null ? null : parseTimeZone(body.timeZone),
    deadlineAt: body.deadlineUtc ?? null,
    userDeadline: parseUserDeadline(body.userDeadline),
    catchUpDays: body.catchUpDays ?? 14,
    rings,
  }
}
