import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { invalidPart } from '../../platform/validation.ts'
import { packageNotAssigned } from '../assignments/api/groups/problems.ts'
import { groupAsOwner } from '../assignments/effective-assignments.ts'
import { effectivePackagesOf } from '../assignments/effective-packages.ts'
import { requirePackage } from '../packages/package-rows.ts'
import { optionsGroupNotFound } from './api/problems.ts'
import type { DistributionOptions, SetDistributionOptionsRequest } from './api/schemas.ts'
import { hasValidAction, toCommandMask, toCommandNames } from './commands.ts'
import { effectiveOptions } from './effective-options.ts'
import { formatSchedule, nextStart, normaliseSchedule, noSchedule, parseSchedule, ScheduleError } from './schedule.ts'
import { toUserDeadline } from './user-deadline.ts'

/**
 * The effective options of a group, or of a package in it, as the API shows them. Those of a package are resolved from the
 * group that assigns it, as in an activation: what is shown is what will be used.
 */
export async function getEffectiveOptions(
  db: Database,
  groupId: string,
  packageId: string | null,
): Promise<DistributionOptions> {
  const resolvedFrom = packageId === null ? groupId : await requireAssigningGroup(db, groupId, packageId)
  const { rows } = await effectiveOptions(
    sql`select id as group_id, ${packageId}::uuid as package_id from groups where id = ${resolvedFrom}`,
  ).execute(db)
  const [found] = rows
  if (!found) throw optionsGroupNotFound({ groupId })
  const schedule = parseSchedule(found.schedule)
  return {
    groupId,
    packageId: found.package_id,
    distCommands: found.dist_commands,
    commands: toCommandNames(found.dist_commands),
    scheduleString: found.schedule,
    schedule: { ...schedule, nextStart: nextStart(schedule, new Date()) },
    revokeCount: found.revoke_count,
    wol: found.wol,
    revokeDate: found.revoke_date,
    optionalDate: found.optional_date,
    userDeadline: toUserDeadline(found.user_deadline),
    preDownload: found.pre_download,
  }
}

/** The group with the nearest assignment of the package, or of a software class that contains it. */
async function requireAssigningGroup(db: Database, groupId: string, packageId: string): Promise<string> {
  const group = await db.selectFrom('groups').select('id').where('id', '=', groupId).executeTakeFirst()
  if (!group) throw optionsGroupNotFound({ groupId })
  await requirePackage(db, packageId)
  const { rows } = await sql<{ group_id: string }>`
    select group_id from (${effectivePackagesOf('group', groupAsOwner(groupId))}) as effective
    where package_id = ${packageId}`.execute(db)
  const [nearest] = rows
  if (!nearest) throw packageNotAssigned({ groupId, packageId })
  return nearest.group_id
}

/** The command mask of a request, which gives it as a sum, as names, or as both if they agree. */
export function parseRequestedCommands({ distCommands, commands }: SetDistributionOptionsRequest): number {
  const named = commands == null ? null : toCommandMask(commands)
  const mask = distCommands ?? named
  if (mask === null) throw invalidPart('body', 'commands', 'or distCommands is required')
  if (named !== null && named !== mask) throw invalidPart('body', 'commands', 'must agree with distCommands')
  if (!hasValidAction(mask))
    throw invalidPart(
      'body',
      distCommands == null ? 'commands' : 'distCommands',
      'must contain exactly one of Install, Update, Uninstall and Reinstall, or Install together with Update',
    )
  return mask
}

/** The schedule text of a request, which gives it as a text, as an object, or as both if they agree. */
export function parseRequestedSchedule({ scheduleString, schedule }: SetDistributionOptionsRequest): string {
  const text = scheduleString?.trim() ?? ''
  const fromText = requireValid('scheduleString', () => parseSchedule(text))
  if (schedule == null) return text
  const { nextStart: _computed, ...parts } = schedule
  const fromObject = requireValid('schedule', () => normaliseSchedule({ ...noSchedule, ...parts }))
  if (scheduleString != null && formatSchedule(fromObject) !== formatSchedule(fromText))
    throw invalidPart('body', 'schedule', 'must agree with scheduleString')
  return scheduleString == null ? formatSchedule(fromObject) : text
}

function requireValid<T>(property: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof ScheduleError ? invalidPart('body', property, error.message) : error
  }
}
