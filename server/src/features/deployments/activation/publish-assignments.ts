import { type RawBuilder, sql } from 'kysely'
import { analyzeGrownTables } from '../../../database/after-bulk-write.ts'
import type { Database } from '../../../database/connect.ts'
import { isOptionalSql } from '../../distribution/commands.ts'
import { requestWakeUps, type WorkToWakeFor } from '../../wake-on-lan/wake-requests.ts'
import { insertDistributionEvents } from '../../work-states/distribution-events.ts'
import { isOpenWork } from '../../work-states/work-states.ts'
import { cancelReplacedTrials } from '../trials/cancel-replaced-trials.ts'
import { type ActivationScope, activationsOf, executeInScope } from './activation-scope.ts'
import { bootableComputers } from './bootable-computers.ts'
import { dueWork, identityColumns, offeredPatchFixes, optionColumns, type WorkBit } from './due-work.ts'
import type { Publication } from './publication.ts'
import { reviseWaitingWork } from './revise-waiting-work.ts'
import { insertRollBackWork } from './roll-back-work.ts'

type NewWork = RawBuilder<WorkToWakeFor>

const tablesOfActivation = ['activations', 'work', 'deployments', 'distribution_events', 'wake_requests'] as const

/**
 * Records the activation of the computers and creates the work that is due on them. Returns whether any of them will be
 * woken.
 */
export async function publishAssignments(db: Database, publication: Publication): Promise<boolean> {
  const { scope, software, pxe, options, taskId, wakeAt, only, bound, rollout } = publication
  const bits: WorkBit[] = [...(software ? (['software'] as const) : []), ...(pxe ? (['pxe'] as const) : [])]
  const newWork = await selectWorkFromNowOn(db, taskId)
  await insertActivations(db, publication)
  if (pxe) await deleteReportedBootGrants(db, scope)
  await insertComputerWork(db, publication)
  // An activation of single packages changes nothing about others.
  if (!only) await reviseWaitingWork(db, scope, bits, options, bound?.work)
  if (software) await cancelReplacedTrials(db, scope)
  for (const bit of bits)
    await (rollout?.rolledBackPackageId ? insertRollBackWork : insertDueWork)(db, publication, bit)
  const deployed = withoutOffers(newWork)
  await markPending(db, deployed)
  await recordPendingEvents(db, deployed, publication.classification)
  if (software && !only) await insertPatchFixDeployments(db, scope, bound?.fixes)
  const isWaking = await requestWakeUps(db, {
    computers: scope.computers,
    newWork: deployed,
    wakeAt,
    canWake: options.canWake,
  })
  await analyzeGrownTables(db, tablesOfActivation)
  return isWaking
}

/** Selects the work that is inserted for the task from now on. A task that is made in slices may have millions of items. */
async function selectWorkFromNowOn(db: Database, taskId: string): Promise<NewWork> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from work where task_id = ${taskId}`.execute(db)
  return sql`select * from work where task_id = ${taskId} and id > ${rows[0]?.id ?? 0}::bigint`
}

/** An optional package is pending, and worth waking a computer, when its user has requested it (`recordTakenOffers`). */
const withoutOffers = (newWork: NewWork): NewWork => sql`
  select * from (${newWork}) as created where not ${isOptionalSql('created.commands')}`

/** With `pxe`, only computers that can boot their image are activated for it. If all of them can, `allBoot` saves looking. */
async function insertActivations(db: Database, { scope, software, pxe, pull, allBoot }: Publication): Promise<void> {
  const [boots, bootable] =
    pxe && !allBoot
      ? [
          sql`(bootable.computer_id is not null)`,
          sql`left join (${bootableComputers(scope)}) as bootable on bootable.computer_id = published.computer_id`,
        ]
      : [sql`${pxe}::boolean`, sql``]
  await sql`
    insert into activations (computer_id, group_id, software, pxe, pull)
    select published.computer_id, group_id, ${software}::boolean, ${boots}, ${pull}::boolean
    from (${scope.memberships}) as published ${bootable}
    where ${software}::boolean or ${boots} or ${pull}::boolean
    order by published.computer_id, group_id
    on conflict on constraint activations_computer_id_group_id_key do update set
      software = activations.software or excluded.software,
      pxe = activations.pxe or excluded.pxe,
      pull = activations.pull or excluded.pull,
      activated_at = excluded.activated_at`.execute(db)
}

/** A computer whose installer has reported without being confirmed is installed again if it is activated again. */
async function deleteReportedBootGrants(db: Database, { computers }: ActivationScope): Promise<void> {
  await sql`
    delete from boot_grants where id = any(array(
      select id from boot_grants where reported_at is not null and computer_id in (${computers})
      order by computer_id, address for update))`.execute(db)
}

/** Inserts work in the order of computers and package names: agents lease the items of a computer in this order. */
async function insertDueWork(
  db: Database,
  { scope, options, taskId, rollout, only, within }: Publication,
  bit: WorkBit,
): Promise<void> {
  const insertion = sql`
    insert into work (computer_id, package_id, task_id, rollout_id, ${identityColumns}, not_before, window_ends_at, ${optionColumns})
    select computer_id, package_id, ${taskId}::uuid, ${rollout?.id ?? null}::uuid, ${identityColumns}, not_before, window_ends_at, ${optionColumns}
    from (${dueWork(bit, scope.computers, options, activationsOf(scope), rollout)}) as due
    where ${only ?? sql`true`} and ${within ?? sql`true`}
    order by computer_id, place
    on conflict (computer_id, package_id) where ${isOpenWork('state')} and package_id is not null do nothing`
  await executeInScope(db, scope, insertion)
}

/** Inserts work without a package. A computer has at most one open item of each kind; the last request wins. */
async function insertComputerWork(db: Database, { scope, pull, srl, wakeAt, taskId }: Publication): Promise<void> {
  if (!pull && !srl) return
  await sql`
    insert into work (computer_id, task_id, kind, not_before, power_action, timeout_minutes, reminder_minutes, user_deadline)
    select owner_id, ${taskId}::uuid, kind, not_before, power_action, timeout_minutes, reminder_minutes, user_deadline
    from (${scope.computers}) as scope, (
      select 'Power' as kind, coalesce(${wakeAt}::timestamptz, now()) as not_before, ${srl?.action ?? null}::text as power_action,
        ${srl?.timeoutMinutes ?? null}::integer as timeout_minutes,
        ${srl?.reminderMinutes ?? null}::integer as reminder_minutes,
        ${srl?.userDeadline ? JSON.stringify(srl.userDeadline) : null}::jsonb as user_deadline
      where ${srl !== null}::boolean
      union all select 'Refresh', now(), null, null, null, null where ${pull}::boolean
    ) as item
    where exists (select from activations a where a.computer_id = owner_id)
    order by owner_id, kind
    on conflict (computer_id, kind) where ${isOpenWork('state')} and package_id is null do update set
      not_before = excluded.not_before, delayed_by = null, power_action = excluded.power_action,
      timeout_minutes = excluded.timeout_minutes, reminder_minutes = excluded.reminder_minutes,
      user_deadline = excluded.user_deadline, restart_policy_id = null, schedule = '', window_ends_at = null
    where work.kind = 'Power' and work.state = 'Due'`.execute(db)
}

export async function markPending(db: Database, newWork: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into deployments (computer_id, package_id, pending_since)
    select computer_id, package_id, now() from (${newWork}) as created where package_id is not null
    order by computer_id, package_id
    on conflict on constraint deployments_pkey do update
      set pending_since = coalesce(deployments.pending_since, excluded.pending_since)`.execute(db)
}

export async function recordPendingEvents(
  db: Database,
  newWork: RawBuilder<unknown>,
  classification: Publication['classification'],
): Promise<void> {
  await insertDistributionEvents({
    from: sql`(${newWork}) as created where package_id is not null order by id`,
    result: 'Pending',
    classification,
    installMode: sql.ref('kind'),
  }).execute(db)
}

/** Assigned fix packages become pending at once. Their work is created when a scan finds a missing patch. */
async function insertPatchFixDeployments(
  db: Database,
  scope: ActivationScope,
  isBrought = sql<boolean>`true`,
): Promise<void> {
  const insertion = sql`
    with inserted as (
      insert into deployments (computer_id, package_id)
      select computer_id, package_id from (${offeredPatchFixes(scope.computers, activationsOf(scope))}) as fixes
      where ${isBrought} order by computer_id, package_id
      on conflict on constraint deployments_pkey do nothing
      returning computer_id, package_id
    )
    ${insertDistributionEvents({
      from: sql`inserted`,
      result: 'Pending',
      classification: 'Activation',
      installMode: null,
    })}`
  await executeInScope(db, scope, insertion)
}
