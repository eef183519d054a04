import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { invalidPart } from '../../platform/validation.ts'
import { optionsGroupNotFound } from './api/problems.ts'
import type { DistributionOptions, SetDistributionOptionsRequest } from './api/schemas.ts'
import { hasValidAction, toCommandMask, toCommandNames } from './commands.ts'
import { effectiveOptions } from './effective-options.ts'
import { formatSchedule, nextStart, normaliseSchedule, noSchedule, parseSchedule, ScheduleError } from './schedule.ts'

/** The effective options of a group, or of a package in it, as the API shows them. */
export async function getEffectiveOptions(
  db: Database,
  groupId: string,
  packageId: string | null,
): Promise<DistributionOptions> {
  const { rows } = await effectiveOptions(
    sql`select id as group_id, ${packageId}::uuid as package_id from groups where id = ${groupId}`,
  ).execute(db)
  const [found] = rows
  if (!found) throw optionsGroupNotFound({ groupId })
  const schedule = parseSchedule(found.schedule)
  return {
    groupId: found.group_id,
    packageId: found.package_id,
    distCommands: found.dist_commands,
    commands: toCommandNames(found.dist_commands),
    scheduleString: found.schedule,
    schedule: { ...schedule, nextStart: nextStart(schedule, new Date()) },
    revokeCount: found.revoke_count,
    wol: found.wol,
    revokeDate: found.revoke_date,
    optionalDate: found.optional_date,
  }
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
