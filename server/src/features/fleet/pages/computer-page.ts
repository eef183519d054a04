import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { type SlowSchedule, slowSchedules } from '../../agents/agent-schedule.ts'
import type { SuspensionModeName } from '../../agents/suspension.ts'
import { canonicalArchitecture } from '../../computers/spellings.ts'
import { distributionEventRows, setupErrorRows } from '../../deployments/history-rows.ts'
import { softwareDeployments } from '../../deployments/software-deployments.ts'
import { taskRows } from '../../deployments/task-rows.ts'
import { toCommandNames } from '../../distribution/commands.ts'
import { healthOfComputer } from '../../issues/computer-health.ts'
import { type Issue, type IssueFinding, issueFinding } from '../../issues/issue.ts'
import { issues } from '../../issues/issues.ts'
import { groupsOf } from '../computer-list/groups-of-computer.ts'
import type { ComputerRole } from '../computer-list/rows.ts'

const maxEvents = 20
const maxTasks = 10
const maxErrors = 10

/** A suspension ends at its time, even if the agent has not reported its end yet. */
const isSuspended = sql<boolean>`(agents.suspended_until is null or agents.suspended_until > now())`

const maxSameUuid = 50

/** The other computers with the UUID of a row of `computers`. */
const sameUuid = sql<{ id: number; hostname: string }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', same.id, 'hostname', same.name) order by same.name, same.id), '[]')
  from (
    select other.id, other.name from computers other where other.uuid = computers.uuid and other.id <> computers.id
    order by other.name, other.id limit ${sql.lit(maxSameUuid)}) as same)`

/** Health, issues, groups and agent of a computer, as they are now and not as of the last count of the fleet. */
export const findComputerState = preparedStatement((db, id: number) => {
  const { agentStatus, healthStatus } = healthOfComputer()
  const findings = issues.map((issue: Issue) =>
    issueFinding(issue, {}, { computerId: 'computers.id', withProperties: false }),
  )
  return db
    .selectFrom('computers')
    .leftJoin('computer_contacts as contact', 'contact.computer_id', 'computers.id')
    .leftJoin(sql<SlowSchedule>`(${slowSchedules()})`.as('schedule'), 'schedule.computer_id', 'computers.id')
    .leftJoin('agents', 'agents.computer_id', 'computers.id')
    .where('computers.id', '=', id)
    .select([
      sql<ComputerRole>`computers.role`.as('role'),
      agentStatus.as('agentStatus'),
      healthStatus.as('healthStatus'),
      sql<string | null>`nullif(concat_ws(' ', computers.os_name, computers.os_edition), '')`.as('operatingSystem'),
      'computers.os_version as osVersion',
      sql<string | null>`coalesce(computers.reported_ip_address, computers.ip_address)`.as('ipAddress'),
      'computers.manufacturer',
      'computers.model',
      canonicalArchitecture('computers.architecture').as('architecture'),
      'computers.memory_mb as memoryMb',
      'agents.logged_on_user as loggedOnUser',
      'agents.version as agentVersion',
      'agents.boot_at as lastReboot',
      sql<boolean>`coalesce(agents.is_reboot_required, false)`.as('rebootRequired'),
      sql<SuspensionModeName | null>`case when ${isSuspended} then agents.suspension_mode end`.as('suspensionMode'),
      sql<Date | null>`case when ${isSuspended} then agents.suspended_until end`.as('suspendedUntil'),
      sql<(IssueFinding | null)[]>`jsonb_build_array(${sql.join(findings)})`.as('findings'),
      groupsOf('computers.id').as('groups'),
      sameUuid.as('sameUuid'),
    ])
    .compile()
})

/** The packages of a computer with what is wanted and what is present, and the group from which each one comes. */
export async function listPackagesOfComputer(db: Database, computerId: number) {
  const { rows } = await softwareDeployments(computerId, {}).execute(db)
  return rows.map(({ desired_mode, current_mode, is_fix: _, group_id, group_path, class_id, ...row }) => ({
    ...row,
    desiredMode: toCommandNames(desired_mode).join(', '),
    currentMode: toCommandNames(current_mode).join(', '),
    assignedGroupId: group_id,
    assignedGroupPath: group_path,
    softwareClassId: class_id,
  }))
}

export function listLatestEvents(db: Database, computerId: number) {
  return distributionEventRows(db)
    .where('distribution_events.computer_id', '=', computerId)
    .orderBy('distribution_events.id', 'desc')
    .limit(maxEvents)
    .execute()
}

export function listLatestTasks(db: Database, computerId: number) {
  const ofComputer = sql<boolean>`tasks.id in (
    select id from tasks where computer_id = ${computerId} union all select task_id from work where computer_id = ${computerId})`
  return taskRows(db)
    .where(ofComputer)
    .orderBy('tasks.created_at', 'desc')
    .orderBy('tasks.id', 'desc')
    .limit(maxTasks)
    .execute()
}

export function listLatestErrors(db: Database, computerId: number) {
  return setupErrorRows(db, computerId).orderBy('setup_errors.id', 'desc').limit(maxErrors).execute()
}
