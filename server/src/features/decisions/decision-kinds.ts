import { type RawBuilder, sql } from 'kysely'
import type { Role } from '../../platform/roles.ts'
import { isDepotOnline } from '../depots/depot-servers.ts'

/** An access that ends sooner than this is a decision: to renew it takes the person who runs the program. */
const expiresWithin = sql`interval '14 days'`
/** An access that has ended is listed for this time: the programs that used it have stopped. */
const expiredSince = sql`interval '7 days'`

/** Something that waits: how people find and call it, and since when. */
type Waiting = { id: string; name: string; detail: string | null; at: Date | null }

export type DecisionKind = {
  /** The role with which a person sees what waits. */
  role: Role
  /** Selects what waits. */
  waiting: RawBuilder<Waiting>
  /** What is shown first; the oldest unless given. */
  order?: RawBuilder<unknown>
}

/** What waits for a person, by its kind: the most urgent first. Each is found by a small table or an index. */
export const decisionKinds = {
  PausedRollout: {
    role: 'computer.read',
    waiting: sql`
      select id::text, name, pause ->> 'code' as detail, (pause ->> 'atUtc')::timestamptz as at
      from rollouts where ended_at is null and state = 'Paused'`,
  },
  QuarantinedAgent: {
    role: 'admin.manage',
    waiting: sql`
      select id::text, name, address as detail, created_at as at
      from quarantined_agents where confirmed_computer_id is null`,
  },
  Approval: {
    role: 'admin.manage',
    waiting: sql`
      select id::text, operation as name, requester_name as detail, requested_at as at
      from approvals where state = 'Pending' and expires_at > now()`,
  },
  PackageRequest: {
    role: 'computer.read',
    waiting: sql`
      select request.id::text, coalesce(packages.name, request.wish) as name, computers.name as detail, request.requested_at as at
      from package_requests request join computers on computers.id = request.computer_id
        left join packages on packages.id = request.package_id
      where request.state = 'Pending'`,
  },
  StoppedRule: {
    role: 'group.read',
    waiting: sql`
      select groups.id::text, groups.path as name, null as detail, stopped_at as at
      from group_rules join groups on groups.id = group_rules.group_id where stopped_at is not null`,
  },
  FailingPackage: {
    role: 'package.read',
    waiting: sql`
      select packages.id::text, concat_ws(' ', packages.name, nullif(packages.version, '')) as name,
        (failing.found ->> 'failed') as detail, null::timestamptz as at
      from fleet_statistics, jsonb_array_elements(failing_packages) as failing (found)
        join packages on packages.id = (failing.found ->> 'packageId')::uuid`,
    order: sql`detail::integer desc`,
  },
  ExpiringSecret: {
    role: 'admin.manage',
    waiting: sql`
      select local_principals.principal_id::text as id, coalesce(nullif(description, ''), client_id) as name, client_id as detail,
        ends_at as at
      from local_principals cross join lateral (
        select least(local_principals.expires_at, case when bool_and(secret.expires_at is not null) then max(secret.expires_at) end)
          as ends_at
        from principal_secrets secret where secret.principal_id = local_principals.principal_id
      ) as access
      where not is_revoked and ends_at between now() - ${expiredSince} and now() + ${expiresWithin}`,
  },
  AwayDepot: {
    role: 'computer.read',
    waiting: sql`
      select computers.id::text, computers.name, null as detail, heartbeat_at as at
      from depots join computers on computers.id = depots.computer_id
      where computers.role = 'DepotServer' and heartbeat_at is not null and not ${isDepotOnline()}`,
  },
  StoppedWebhook: {
    role: 'admin.manage',
    waiting: sql`
      select id::text, name, pause_reason as detail, failing_since as at
      from webhooks where is_paused and pause_reason is not null`,
  },
} as const satisfies Record<string, DecisionKind>

export type StoredDecisionKind = keyof typeof decisionKinds

export const storedDecisionKinds = Object.keys(decisionKinds) as StoredDecisionKind[]
