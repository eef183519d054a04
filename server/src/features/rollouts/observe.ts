import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { failureCauseOf } from '../deployments/failures/failure-causes.ts'
import { offerFlag } from '../distribution/commands.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { isUnfinished } from './rollout-computers.ts'
import type { Rollout } from './rollout-record.ts'

/**
 * What records, in this order, what became of the computers since the last time. Each is one statement and runs in a
 * transaction of its own: a second update of a row within one transaction would lock its computer, to check a foreign key.
 */
export const observations: readonly ((db: Database, rollout: Rollout) => Promise<void>)[] = [
  recordStates,
  recordCauses,
  recordSilence,
  recordStarts,
  recordBootFailures,
]

/**
 * Only computers whose work was unfinished are looked at: their number shrinks as the rollout continues. Offers are not among
 * their work; when a user takes one, its computer is unfinished again (`reopenRolloutComputers`).
 */
async function recordStates(db: Database, { id }: Rollout): Promise<void> {
  await sql`
    with unfinished as materialized (
      select computer_id, released_at from rollout_computers where rollout_id = ${id} and ${isUnfinished('state')}
    ), derived as materialized (
      select unfinished.computer_id, max(work.closed_at) as closed_at, case
          when bool_or(work.state = 'Failed') then 'Failed'
          when bool_or(${isOpenWork('work.state')} and work.failures > 0) then 'Retrying'
          when bool_or(${isOpenWork('work.state')}) then 'Pending'
          when bool_or(work.state = 'Success') then 'Succeeded'
          when bool_or(work.state = 'Cancelled') then 'Cancelled'
          else 'NothingDue' end as state
      from unfinished left join work on work.rollout_id = ${id} and work.computer_id = unfinished.computer_id
        and work.created_at >= unfinished.released_at and not (${isOpenWork('work.state')} and ${offerFlag('work')} = 1)
      group by unfinished.computer_id
    ), changed as materialized (
      select known.computer_id, derived.state, derived.closed_at
      from rollout_computers known join derived on derived.computer_id = known.computer_id
      where known.rollout_id = ${id} and known.state <> derived.state
      order by known.computer_id for no key update of known
    )
    update rollout_computers known set state = changed.state,
      finished_at = case when changed.state in ('Pending', 'Retrying') then null else coalesce(changed.closed_at, now()) end
    from changed where known.rollout_id = ${id} and known.computer_id = changed.computer_id`.execute(db)
}

/** Of the first failure since the release. The error log has an output or, for what the agent did not run, nothing. */
async function recordCauses(db: Database, { id }: Rollout): Promise<void> {
  await sql`
    with failing as materialized (
      select computer_id, released_at from rollout_computers
      where rollout_id = ${id} and state in ('Retrying', 'Failed') and failed_at is null
      order by computer_id for no key update
    ), failure as materialized (
      select distinct on (failing.computer_id) failing.computer_id, error.exit_code,
        coalesce(error.logged_at, work.closed_at, now()) as failed_at,
        ${failureCauseOf(sql`coalesce(nullif(error.output, ''), deployments.error_text, '')`)} as cause
      from failing join work on work.rollout_id = ${id} and work.computer_id = failing.computer_id
          and work.created_at >= failing.released_at and (work.state = 'Failed' or work.failures > 0)
        left join deployments on deployments.computer_id = work.computer_id and deployments.package_id = work.package_id
        left join lateral (
          select exit_code, logged_at, output from setup_errors where setup_errors.work_id = work.id order by id limit 1
        ) as error on true
      order by failing.computer_id, error.logged_at nulls last, work.id
    )
    update rollout_computers known set failed_at = failure.failed_at, exit_code = nullif(failure.exit_code, 0),
      cause = nullif(failure.cause, '')
    from failure where known.rollout_id = ${id} and known.computer_id = failure.computer_id`.execute(db)
}

/**
 * An agent that began its work, and was last seen before or soon after its end, is silent. One that was seen long after
 * is silent for another reason.
 */
async function recordSilence(db: Database, { id, criteria }: Rollout): Promise<void> {
  const limit = sql`make_interval(mins => ${criteria.silentAfterMinutes})`
  await sql`
    with observed as materialized (
      select known.computer_id, contact.last_seen_at < now() - ${limit}
          and (known.finished_at is null or contact.last_seen_at < known.finished_at + ${limit})
          and (known.state <> 'Pending' or exists (
            select from work
            where work.rollout_id = ${id} and work.computer_id = known.computer_id and work.attempt > 0
              and work.created_at >= known.released_at)) as is_silent
      from rollout_computers known join computer_contacts contact on contact.computer_id = known.computer_id
      where known.rollout_id = ${id} and known.state in ('Pending', 'Retrying', 'Succeeded', 'Failed')
        and (known.silent_at is not null or contact.last_seen_at < now() - ${limit})
    ), changed as materialized (
      select known.computer_id, observed.is_silent
      from rollout_computers known join observed on observed.computer_id = known.computer_id
      where known.rollout_id = ${id} and observed.is_silent <> (known.silent_at is not null)
      order by known.computer_id for no key update of known
    )
    update rollout_computers known set silent_at = case when changed.is_silent then now() end
    from changed where known.rollout_id = ${id} and known.computer_id = changed.computer_id`.execute(db)
}

/** Counts the starts of computers from their release until some time after their work. */
async function recordStarts(db: Database, { id, criteria }: Rollout): Promise<void> {
  await sql`
    with started as materialized (
      select known.computer_id, agents.boot_at
      from rollout_computers known join agents on agents.computer_id = known.computer_id
      where known.rollout_id = ${id} and known.state in ('Pending', 'Retrying', 'Succeeded', 'Failed')
        and agents.boot_at > known.released_at and agents.boot_at is distinct from known.boot_at
        and agents.boot_at < coalesce(known.finished_at, now()) + make_interval(mins => ${criteria.bootTimeoutMinutes})
      order by known.computer_id for no key update of known
    )
    update rollout_computers known set boot_at = started.boot_at, boots = known.boots + 1
    from started where known.rollout_id = ${id} and known.computer_id = started.computer_id`.execute(db)
}

/** A computer that starts as often within the time has an installation that makes it restart. */
const maxStarts = 3

/** A restart that the computer accepted, and from which it does not come back in time; or too many starts. */
async function recordBootFailures(db: Database, { id, criteria }: Rollout): Promise<void> {
  const limit = sql`now() - make_interval(mins => ${criteria.bootTimeoutMinutes})`
  await sql`
    with failing as materialized (
      select known.computer_id
      from rollout_computers known
        left join computer_contacts contact on contact.computer_id = known.computer_id
        left join agents on agents.computer_id = known.computer_id
      where known.rollout_id = ${id} and known.state in ('Pending', 'Retrying', 'Succeeded', 'Failed')
        and known.boot_failed_at is null
        and (known.boots >= ${maxStarts} or contact.last_seen_at < ${limit} and exists (
          select from work restart
          where restart.computer_id = known.computer_id and restart.kind = 'Power' and restart.power_action = 'Reboot'
            and restart.state = 'Success' and restart.closed_at between known.released_at and ${limit}
            and (agents.boot_at is null or agents.boot_at < restart.closed_at)))
      order by known.computer_id for no key update of known
    )
    update rollout_computers known set boot_failed_at = now()
    from failing where known.rollout_id = ${id} and known.computer_id = failing.computer_id`.execute(db)
}
