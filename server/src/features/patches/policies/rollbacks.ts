import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { effectivePmGroups } from '../effective-pm-groups.ts'
import { hasOnlyPreviousScan } from '../missing-patches.ts'
import { effectiveRulings } from './effective-rulings.ts'

/** A patch that a computer rolls back, and the policy that says so. */
export type PatchToRollBack = { computer_id: number; patch_id: number; product_id: number; policy_id: number }

/** An agent that was asked so often and has not answered is not asked again, before its version changes. */
export const maxRollbackAttempts = 3

/** What the last scan of each computer found installed, of the patches that a policy rolls back. */
const installedAndStopped = sql<PatchToRollBack>`
  select scanned.computer_id, scanned.patch_id, scanned.product_id from computer_patches scanned
  where not scanned.is_missing and exists (
    select from patch_ring_progress stopped
    where stopped.rolls_back and stopped.patch_id = scanned.patch_id and stopped.product_id = scanned.product_id)`

/** Whether the present version of an agent was asked often enough. Takes the aliases of `patch_rollbacks` and `agents`. */
export const isUnanswered = (asked: string, agents: string): RawBuilder<boolean> => sql<boolean>`
  coalesce(${sql.ref(`${asked}.attempts`)} >= ${sql.lit(maxRollbackAttempts)}
    and ${sql.ref(`${agents}.version`)} is not distinct from ${sql.ref(`${asked}.agent_version`)}, false)`

/** Whether a patch is gone, as the agent or a later scan says. Takes the aliases of `patch_rollbacks` and `computer_patches`. */
export const isRolledBack = (asked: string, scanned: string): RawBuilder<boolean> => sql<boolean>`
  (${sql.ref(`${asked}.outcome`)} is not distinct from 'RolledBack' or coalesce(${sql.ref(`${scanned}.is_missing`)}, true))`

/** Whether the agent of a computer that still has the patch has refused, or is not asked again. */
export const isNotRolledBack = (asked: string, scanned: string, agents: string): RawBuilder<boolean> => sql<boolean>`
  (not ${isRolledBack(asked, scanned)} and (${sql.ref(`${asked}.outcome`)} is not null or ${isUnanswered(asked, agents)}))`

/**
 * The installed patches that computers still have to roll back: the policy that decides about the patch has stopped it with a
 * rollback, and the agent has neither done it nor refused. What a PM group releases to a computer stays there, and would be installed
 * again. `computers` may refer to columns of the surrounding query.
 */
export function patchesToRollBack(computers: RawBuilder<{ owner_id: number }>): RawBuilder<PatchToRollBack> {
  return sql<PatchToRollBack>`
    select ruling.computer_id, ruling.patch_id, ruling.product_id, ruling.policy_id
    from (${effectiveRulings(computers, installedAndStopped)}) as ruling
      left join patch_rollbacks asked on asked.policy_id = ruling.policy_id and asked.patch_id = ruling.patch_id
        and asked.product_id = ruling.product_id and asked.computer_id = ruling.computer_id
      left join agents on agents.computer_id = ruling.computer_id
    -- Mostly there is none, and then nothing else is read.
    where exists (select from patch_ring_progress where rolls_back)
      and ruling.rolls_back and asked.outcome is null and not ${isUnanswered('asked', 'agents')}
      and not (${isReleasedByPmGroup('ruling')}) and not ${hasOnlyPreviousScan('ruling.computer_id')}`
}

/** Whether a PM group releases a patch to a computer. Takes the alias of a relation with both and the product. */
function isReleasedByPmGroup(item: string): RawBuilder<boolean> {
  const computer = sql<{ owner_id: number }>`select ${sql.ref(`${item}.computer_id`)} as owner_id`
  // Most patches are in no PM group, and then the groups of each computer are not looked up.
  return sql<boolean>`case when exists (
    select from pm_group_patches known
    where known.patch_id = ${sql.ref(`${item}.patch_id`)} and known.product_id = ${sql.ref(`${item}.product_id`)})
  then exists (
    select from (${effectivePmGroups(computer)}) as effective
      join pm_group_patches listed on listed.pm_group_id = effective.pm_group_id
        and listed.patch_id = ${sql.ref(`${item}.patch_id`)} and listed.product_id = ${sql.ref(`${item}.product_id`)}
      join patch_links link on link.patch_id = listed.patch_id and link.product_id = listed.product_id
    where effective.is_test or effective.is_emergency or link.approved_at is not null)
  else false end`
}

export type AskedRollback = { patchId: number; productId: number; key: string }

/** Of one answer, which stays small. The others come after the next scan. */
const maxAsked = 1_000

/**
 * The patches that the agent of a computer is asked to roll back when it begins a fix, with keys as the computer itself reported
 * them. Records that it was asked; a request that is repeated soon is the same one.
 */
export async function askForRollbacks(db: Database, computerId: number): Promise<AskedRollback[]> {
  const computer = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  const { rows } = await sql<AskedRollback>`
    with wanted as materialized (
      select policy_id, patch_id, product_id, computer_id from (${patchesToRollBack(computer)}) as todo
      order by policy_id, patch_id, product_id limit ${maxAsked}
    ), asked as (
      insert into patch_rollbacks as known (policy_id, patch_id, product_id, computer_id, attempts, agent_version)
      select policy_id, patch_id, product_id, computer_id, 1,
        (select version from agents where agents.computer_id = ${computerId}::integer)
      from wanted order by policy_id, patch_id, product_id
      on conflict on constraint patch_rollbacks_pkey do update set asked_at = now(), agent_version = excluded.agent_version,
        attempts = case when known.agent_version is distinct from excluded.agent_version then 1
          when known.asked_at > now() - interval '5 minutes' then known.attempts else known.attempts + 1 end
    )
    select wanted.patch_id as "patchId", wanted.product_id as "productId", coalesce(scanned.reported_key, patches.key) as key
    from wanted
      join patches on patches.id = wanted.patch_id
      join computer_patches scanned on scanned.computer_id = wanted.computer_id and scanned.patch_id = wanted.patch_id
        and scanned.product_id = wanted.product_id
    order by wanted.patch_id, wanted.product_id`.execute(db)
  return rows
}

export type RollbackReport = {
  patchId: number
  productId: number
  outcome: 'RolledBack' | 'Refused'
  reason?: string | null | undefined
}

/** Records what an agent says about patches that it was asked to roll back. Anything else it says changes nothing. */
export async function recordRollbacks(
  db: Database,
  computerId: number,
  reports: readonly RollbackReport[],
): Promise<void> {
  if (reports.length === 0) return
  await sql`
    with reported as (
      select distinct on (patch_id, product_id) * from jsonb_to_recordset(${JSON.stringify(
        reports.map(({ patchId, productId, outcome, reason }) => ({
          ...{ patch_id: patchId, product_id: productId, outcome },
          reason: reason ?? null,
        })),
      )}::jsonb) as reported (patch_id integer, product_id integer, outcome text, reason text)
    ), locked as materialized (
      select asked.policy_id, asked.patch_id, asked.product_id, asked.computer_id from patch_rollbacks asked
        join reported on reported.patch_id = asked.patch_id and reported.product_id = asked.product_id
      where asked.computer_id = ${computerId} and asked.outcome is null
      order by asked.policy_id, asked.patch_id, asked.product_id for update of asked
    )
    update patch_rollbacks asked set outcome = reported.outcome, reason = nullif(reported.reason, ''), ended_at = now()
    from locked join reported on reported.patch_id = locked.patch_id and reported.product_id = locked.product_id
    where asked.policy_id = locked.policy_id and asked.patch_id = locked.patch_id and asked.product_id = locked.product_id
      and asked.computer_id = locked.computer_id`.execute(db)
}
