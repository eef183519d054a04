import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { RingCounts, RingFacts, RolloutFacts, SharedCause } from './next-step.ts'
import type { Findings, Rollout, RolloutRing } from './rollout-record.ts'

const noComputers: RingCounts = {
  total: 0,
  unreleased: 0,
  pending: 0,
  retrying: 0,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  nothingDue: 0,
  away: 0,
  failing: 0,
  failingRetried: 0,
}

/** Counts the computers of each ring by their state, and stores the numbers for everybody who reads the rollout. */
export async function recordCounts(db: Database, { id, criteria, resumedAt }: Rollout): Promise<void> {
  const isAway = sql`known.state = 'Pending' and known.released_at < now() - make_interval(hours => ${criteria.awayHours})
    and (contact.last_seen_at is null or contact.last_seen_at < known.released_at)`
  const counted = (condition: unknown) => sql`count(*) filter (where ${condition})`
  const isFailing = sql`known.failed_at > ${resumedAt}`
  const inState = (state: string) => counted(sql`known.state = ${sql.lit(state)}`)
  await sql`
    with counted as (
      select known.ring, jsonb_build_object('total', count(*),
          'unreleased', ${counted(sql`known.state in ('Waiting', 'RetryRequested')`)}, 'pending', ${inState('Pending')},
          'retrying', ${inState('Retrying')}, 'succeeded', ${inState('Succeeded')}, 'failed', ${inState('Failed')},
          'cancelled', ${inState('Cancelled')}, 'nothingDue', ${inState('NothingDue')}, 'away', ${counted(isAway)},
          'failing', ${counted(sql`known.state in ('Retrying', 'Failed') and ${isFailing}`)},
          'failingRetried', ${counted(sql`known.state = 'Retrying' and ${isFailing}`)}) as counts
      from rollout_computers known left join computer_contacts contact
        on contact.computer_id = known.computer_id and known.state = 'Pending'
      where known.rollout_id = ${id} group by known.ring
    ), locked as materialized (
      select ring from rollout_rings where rollout_id = ${id} order by ring for no key update
    )
    update rollout_rings set counts = coalesce(counted.counts, '{}')
    from locked left join counted on counted.ring = locked.ring
    where rollout_rings.rollout_id = ${id} and rollout_rings.ring = locked.ring`.execute(db)
  const findings = await findFindings(db, id, resumedAt)
  await sql`
    update rollouts set findings = ${JSON.stringify(findings)}::jsonb, evaluated_at = now() where id = ${id}`.execute(
    db,
  )
}

/** What has happened since the rollout was last resumed and may pause it. */
async function findFindings(db: Database, id: string, resumedAt: Date): Promise<Findings> {
  const { rows } = await sql<{ silent: number; bootFailed: number }>`
    select (count(*) filter (where silent_at > ${resumedAt}))::integer as silent,
      (count(*) filter (where boot_failed_at > ${resumedAt}))::integer as "bootFailed"
    from rollout_computers where rollout_id = ${id} and (silent_at is not null or boot_failed_at is not null)`.execute(
    db,
  )
  const shared = await sql<SharedCause>`
    with failing as materialized (
      select exit_code, cause, state = 'Retrying' as is_retried from rollout_computers
      where rollout_id = ${id} and state in ('Retrying', 'Failed') and failed_at > ${resumedAt}
    )
    select exit_code as "exitCode", null as error, count(*)::integer as computers,
      (count(*) filter (where is_retried))::integer as retried
    from failing where exit_code is not null group by exit_code
    union all
    select null, cause, count(*)::integer, (count(*) filter (where is_retried))::integer
    from failing where cause is not null group by cause
    order by computers desc, "exitCode" nulls last, error limit 1`.execute(db)
  return { silent: 0, bootFailed: 0, ...rows[0], sharedCause: shared.rows[0] ?? null }
}

/** The facts about a rollout at its last evaluation. */
export function toFacts(rollout: Rollout, now: Date): RolloutFacts {
  const { criteria, catchUpDays, catchUpUntil, findings, createdAt, resumedAt } = rollout
  return {
    criteria,
    now,
    rings: rollout.rings.map((ring) => toRingFacts(rollout, ring)),
    silent: findings?.silent ?? 0,
    bootFailed: findings?.bootFailed ?? 0,
    sharedCause: findings?.sharedCause ?? null,
    catchUpDays,
    catchUpUntil,
    resumedAt: resumedAt > createdAt ? resumedAt : null,
    lastSharedRing: rollout.lastSharedRing,
    isWave: rollout.isWave,
    expectedComputers: rollout.expectedComputers,
  }
}

function toRingFacts({ deadlineAt }: Rollout, ring: RolloutRing): RingFacts {
  const { openedAt, releaseMinutes, state, criteriaMetAt } = ring
  const endsAt = openedAt && new Date(openedAt.getTime() + releaseMinutes * 60_000)
  return {
    ring: ring.ring,
    state,
    counts: { ...noComputers, ...ring.counts },
    criteriaMetAt,
    releasedAt: endsAt && deadlineAt && deadlineAt < endsAt ? deadlineAt : endsAt,
  }
}
