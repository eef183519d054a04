import { randomUUID } from 'node:crypto'
import { compositeKey } from '@muster/text'
import { sql } from 'kysely'
import { tryLockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { appendAuditEntry } from '../audit/audit-trail.ts'
import { isFrozen } from '../blast-radius/freeze.ts'
import { lockComputers } from '../computers/computers.ts'
import { requestReboots } from '../deployments/request-reboots.ts'
import {
  decidingRestarts,
  type PolicyRestart,
  type PolicyRestartWindow,
  restartTermsIn,
  restartWindowOf,
} from '../hand-out/policy-restarts.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { withdrawRestarts } from './withdraw-restarts.ts'

/** Agents learn of a window so long before it opens, and then make contact in time. */
const maxHoursAhead = 2

/** As many computers are looked at in one transaction. */
const maxComputers = 5_000

/**
 * Withdraws the restarts of policies that are not due any more, and requests those that are: of computers that need a restart, for the
 * open or coming window of the policy that decides about them. One node does so at a time. Returns how many it has requested or withdrawn.
 */
export async function requestRestartsForPolicies(db: Database, signal?: AbortSignal): Promise<number> {
  const withdrawn = await db.transaction().execute(async (tx) => ((await lockRestarts(tx)) ? withdrawRestarts(tx) : 0))
  const { rows: policies } = await sql`
    select from patch_policies where restart is not null and not ${isFrozen} limit 1`.execute(db)
  let requested = 0
  for (let after: number | undefined = policies.length > 0 ? 0 : undefined; after !== undefined && !signal?.aborted; ) {
    const from: number = after
    const slice = await db.transaction().execute((tx) => requestSlice(tx, from))
    requested += slice.requested
    after = slice.last
  }
  return withdrawn + requested
}

const lockRestarts = (db: Database) => tryLockForTransaction(db, 'patchRestarts')

type RestartingPolicy = { id: number; name: string; restart: PolicyRestart }

/** A window of a policy for the computers with a time zone, which is open or opens soon. */
type NearWindow = PolicyRestartWindow & { policy: RestartingPolicy; timeZone: string | null }

type PendingComputer = { id: number; timeZone: string | null }

async function requestSlice(db: Database, after: number): Promise<{ requested: number; last?: number }> {
  if (!(await lockRestarts(db))) return { requested: 0 }
  // A change of a policy waits until the requests are made, and then finds them.
  const { rows: policies } = await sql<RestartingPolicy>`
    select id, name, restart from patch_policies
    where restart is not null and not ${isFrozen} and exists (
      select from patch_policy_assignments where policy_id = patch_policies.id)
    order by id for share`.execute(db)
  const { rows: times } = await sql<{ now: Date }>`select now()`.execute(db)
  const now = times[0]?.now ?? new Date()
  const isOfAllZones = ({ restart }: RestartingPolicy) => restart.timeZone === null
  if (!policies.some(isOfAllZones) && findNearWindows(policies, [null], now).length === 0) return { requested: 0 }
  const { rows: pending } = await pendingComputers(after).execute(db)
  const zones = [...new Set(pending.map(({ timeZone }) => timeZone))]
  const near = findNearWindows(policies, zones, now)
  const requested = near.length === 0 ? 0 : await requestIn(db, near, pending)
  const last = pending.length < maxComputers ? undefined : pending.at(-1)?.id
  return { requested, ...(last !== undefined && { last }) }
}

/** Computers that need a restart and have no power action yet. An agent in quarantine may be that of another computer. */
const pendingComputers = (after: number) => sql<PendingComputer>`
  select agent.computer_id as id, record.time_zone as "timeZone"
  from agents agent left join system_records record on record.computer_id = agent.computer_id
  where agent.is_reboot_required and agent.kind = 'Muster' and agent.computer_id > ${after}
    and not exists (
      select from work open where open.computer_id = agent.computer_id and open.kind = 'Power' and open.package_id is null
        and ${isOpenWork('open.state')})
    and not exists (select from quarantined_agents claim where claim.computer_id = agent.computer_id)
  order by agent.computer_id limit ${maxComputers}`

function findNearWindows(
  policies: readonly RestartingPolicy[],
  zones: readonly (string | null)[],
  now: Date,
): NearWindow[] {
  const latest = new Date(now.getTime() + maxHoursAhead * 3_600_000)
  return policies.flatMap((policy) =>
    zones.flatMap((timeZone) => {
      const window = restartWindowOf(policy.restart, timeZone, now)
      return window && window.opensAt <= latest ? [{ policy, timeZone, ...window }] : []
    }),
  )
}

/**
 * A computer is restarted once in a window: until its next report, it seems to need a restart that it has just made, and some need one
 * again and again.
 */
const isRestartedSince = (computerId: string, time: string) => sql<boolean>`exists (
  select from work done where done.computer_id = ${sql.ref(computerId)} and done.kind = 'Power' and done.power_action = 'Reboot'
    and done.state in ('Success', 'Failed') and done.closed_at > ${sql.ref(time)})`

/** Requests the restarts of the computers with such a window. Each policy and window is a task, and has an entry in the audit trail. */
async function requestIn(
  db: Database,
  near: readonly NearWindow[],
  pending: readonly PendingComputer[],
): Promise<number> {
  const inZones = pending.filter(({ timeZone }) => near.some((window) => window.timeZone === timeZone))
  const { rows } = await sql<{ computerId: number; place: number }>`
    with listed as materialized (
      select * from unnest(${inZones.map(({ id }) => id)}::integer[], ${inZones.map(({ timeZone }) => timeZone)}::text[])
        as listed (computer_id, time_zone)
    ), decided as materialized (
      ${decidingRestarts(sql<{ owner_id: number }>`select computer_id as owner_id from listed`)}
    )
    select listed.computer_id as "computerId", near_window.place::integer
    from listed
      join decided on decided.owner_id = listed.computer_id
      join unnest(${near.map(({ policy }) => policy.id)}::integer[], ${near.map(({ timeZone }) => timeZone)}::text[],
        ${near.map(beginOf)}::timestamptz[]) with ordinality as near_window (policy_id, time_zone, begun_at, place)
        on near_window.policy_id = decided.policy_id and near_window.time_zone is not distinct from listed.time_zone
    where not ${isRestartedSince('listed.computer_id', 'near_window.begun_at')}
    order by listed.computer_id`.execute(db)
  if (rows.length === 0) return 0
  const ids = rows.map(({ computerId }) => computerId)
  const existing = new Set(await lockComputers(db, ids))
  const groups = Map.groupBy(
    rows.filter(({ computerId }) => existing.has(computerId)),
    ({ place }) => keyOf(near[place - 1]),
  )
  const made: RequestedRestarts[] = []
  for (const group of groups.values()) {
    const window = near[(group[0]?.place ?? 0) - 1]
    const computerIds = group.map(({ computerId }) => computerId)
    if (window) made.push({ window, ...(await requestGroup(db, window, computerIds)) })
  }
  for (const one of made) if (one.requested > 0) await auditRestarts(db, one)
  return made.reduce((total, { requested }) => total + requested, 0)
}

/** The window began at this time or later. */
function beginOf({ policy: { restart }, closesAt }: NearWindow): Date {
  const maxMinutes = Math.max(...restart.windows.map(({ durationMinutes }) => durationMinutes))
  return new Date(closesAt.getTime() - maxMinutes * 60_000)
}

/** Computers of several time zones may have the same window. */
const keyOf = (window: NearWindow | undefined) =>
  compositeKey(window?.policy.id ?? 0, window?.opensAt.getTime() ?? 0, window?.closesAt.getTime() ?? 0)

type RequestedRestarts = { window: NearWindow; requested: number; trackingId: string | null }

const creatorOf = ({ policy: { name } }: NearWindow) => ({
  id: null,
  name: `patch policy ${name}`.slice(0, maxNameLength),
})

const maxNameLength = 255

function requestGroup(db: Database, window: NearWindow, computerIds: readonly number[]) {
  const { policy } = window
  const { from, until, ...terms } = restartTermsIn(policy.restart, window)
  const task = { kind: 'Reboot', createdBy: creatorOf(window) } as const
  return requestReboots(db, computerIds, terms, task, { policyId: policy.id, from, until })
}

/** Call it last: it locks the audit trail. */
async function auditRestarts(db: Database, { window, requested, trackingId }: RequestedRestarts): Promise<void> {
  await appendAuditEntry(db, {
    principal: creatorOf(window),
    operation: { id: 'restartForPolicy', body: null },
    target: `/api/patch-policies/${window.policy.id}`,
    query: {},
    body: { computers: requested, untilUtc: window.closesAt.toISOString(), trackingId },
    concealed: [],
    status: 200,
    requestId: randomUUID(),
  })
}
