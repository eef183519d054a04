import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { invalidPart } from '../../platform/validation.ts'
import { optionsOfUnknownGroup } from './api/problems.ts'
import type { DistributionOptions, SetDistributionOptionsRequest } from './api/schemas.ts'
import { commandsOf, isPossible, maskOf } from './commands.ts'
import { effectiveOptions } from './effective-options.ts'
import { checkedSchedule, formatSchedule, nextStart, noSchedule, parseSchedule, ScheduleError } from './schedule.ts'

/** The options that hold for a group, or for a package in it. */
export async function optionsFor(
  db: Database,
  groupId: string,
  packageId: string | null,
): Promise<DistributionOptions> {
  const asked = sql`select id as group_id, ${packageId}::uuid as package_id from groups where id = ${groupId}`
  const { rows } = await effectiveOptions(asked).execute(db)
  const [found] = rows
  if (!found) throw optionsOfUnknownGroup({ groupId })
  const schedule = parseSchedule(found.schedule)
  return {
    groupId: found.group_id,
    packageId: found.package_id,
    distCommands: found.dist_commands,
    commands: commandsOf(found.dist_commands),
    scheduleString: found.schedule,
    schedule: { ...schedule, nextStart: nextStart(schedule, new Date()) },
    revokeCount: found.revoke_count,
    wol: found.wol,
    revokeDate: found.revoke_date,
    optionalDate: found.optional_date,
  }
}

/** The bitmask of a request, which may give the commands as a sum, by name, or both. */
export function requestedCommands({ distCommands, commands }: SetDistributionOptionsRequest): number {
  const named = commands == null ? null : maskOf(commands)
  const mask = distCommands ?? named
  if (mask === null) throw invalidPart('body', 'commands', 'or distCommands is required')
  if (named !== null && named !== mask) throw invalidPart('body', 'commands', 'must agree with distCommands')
  if (!isPossible(mask))
    throw invalidPart(
      'body',
      distCommands == null ? 'commands' : 'distCommands',
      'must have one of Install, Update, Uninstall and Reinstall, or Install with Update',
    )
  return mask
}

/** The schedule of a request, which may give it as a text, decoded, or both. */
export function requestedSchedule({ scheduleString, schedule }: SetDistributionOptionsRequest): string {
  const text = scheduleString?.trim() ?? ''
  const read = inBody('scheduleString', () => parseSchedule(text))
  if (schedule == null) return text
  const { nextStart: _computed, ...parts } = schedule
  const given = inBody('schedule', () => checkedSchedule({ ...noSchedule, ...parts }))
  if (scheduleString != null && formatSchedule(given) !== formatSchedule(read))
    throw invalidPart('body', 'schedule', 'must agree with scheduleString')
  return scheduleString == null ? formatSchedule(given) : text
}

function inBody<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ScheduleError ? invalidPart('body', name, error.message) : error
  }
}
