import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { executePrepared } from '../../../database/prepared-statements.ts'

/** The computers of an activation or deactivation, and the groups through which it publishes. */
export type ActivationScope = {
  computers: RawBuilder<{ owner_id: number }>
  /** `group_id` is null for a computer that is in no group. */
  memberships: RawBuilder<{ computer_id: number; group_id: string | null }>
  /** Whether it covers all groups of the computers. */
  isGlobal: boolean
  /** The group that is activated or deactivated; null for a computer, and for a selection of computers. */
  groupId: string | null
  /** Whether it can never be more than one computer. */
  isOneComputer?: true
}

/** What is activated or deactivated. */
export type ActivationBits = { software: boolean; pxe: boolean; pull: boolean }

export type Deactivation = ActivationBits & { scope: ActivationScope }

/**
 * Runs a statement about the assignments of the computers. For one computer, it takes many times longer to plan than to
 * run, so its plan is kept; for many, the best plan depends on them.
 */
export function executeInScope<Row>(
  db: Database,
  { isOneComputer }: ActivationScope,
  query: RawBuilder<Row>,
): Promise<QueryResult<Row>> {
  return isOneComputer ? executePrepared(db, query) : query.execute(db)
}

/** One computer with all its groups, or only with its configuration group, else with the first assignment group. */
export function computerScope(id: number, isGlobal: boolean): ActivationScope {
  return {
    ...selectionScope([id], isGlobal),
    computers: sql<{ owner_id: number }>`select ${id}::integer as owner_id`,
    isOneComputer: true,
  }
}

/** Computers that somebody has selected, each as `computerScope` has it. Ids that no computer has are left out. */
export function selectionScope(ids: readonly number[], isGlobal: boolean): ActivationScope {
  return {
    computers: sql<{ owner_id: number }>`select id as owner_id from computers where id = any(${ids}::integer[])`,
    memberships: sql`
      select computers.id as computer_id, membership.group_id
      from computers left join lateral (
        select group_id from effective_memberships
        where computer_id = computers.id
        order by tree <> 'ConfigurationGroups', path collate "C", group_id
        ${isGlobal ? sql`` : sql`limit 1`}
      ) as membership on true
      where computers.id = any(${ids}::integer[])`,
    isGlobal,
    groupId: null,
  }
}

/**
 * The computers in a group and in the groups below it, with all their groups, or only with these. With `onlyIds`, all
 * other computers are left out.
 */
export function groupScope(id: string, isGlobal: boolean, onlyIds?: readonly number[]): ActivationScope {
  const members = sql<{ computer_id: number; group_id: string }>`
    select member.computer_id, member.group_id
    from group_ancestors below
      join effective_memberships member on member.group_id = below.descendant_id
    where below.ancestor_id = ${id} ${onlyIds ? sql`and member.computer_id = any(${onlyIds}::integer[])` : sql``}`
  const computers = sql<{ owner_id: number }>`select distinct computer_id as owner_id from (${members}) as members`
  return {
    computers,
    memberships: isGlobal
      ? sql`
          select member.computer_id, member.group_id
          from (${computers}) as scope
            join effective_memberships member on member.computer_id = scope.owner_id`
      : members,
    isGlobal,
    groupId: id,
  }
}

/** Some computers of a group scope, with the groups that they have in it. */
export function sliceScope(groupId: string, isGlobal: boolean, computerIds: readonly number[]): ActivationScope {
  return {
    computers: sql<{ owner_id: number }>`select unnest(${computerIds}::integer[]) as owner_id`,
    memberships: sql`
      select member.computer_id, member.group_id
      from effective_memberships member
      where member.computer_id = any(${computerIds}::integer[])
        and (${isGlobal}::boolean or ${isBelow('member', groupId)})`,
    isGlobal,
    groupId,
  }
}

/** Whether the group of a membership, given by its alias, is the group or below it. */
function isBelow(membership: string, groupId: string): RawBuilder<boolean> {
  return sql`exists (
    select from group_ancestors below
    where below.ancestor_id = ${groupId} and below.descendant_id = ${sql.ref(`${membership}.group_id`)})`
}

/** Lists those of the computers that are in the group or in a group below it. */
export async function listMembers(db: Database, groupId: string, computerIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ computer_id: number }>`
    select distinct member.computer_id from effective_memberships member
    where member.computer_id = any(${computerIds}::integer[]) and ${isBelow('member', groupId)}
    order by member.computer_id`.execute(db)
  return rows.map(({ computer_id }) => computer_id)
}

/**
 * The stored activations through which the scope publishes. Groups that were activated at another time stay activated, but
 * what they assign since then waits for their own activation.
 */
export function activationsOf({ isGlobal, memberships }: ActivationScope): RawBuilder<unknown> {
  if (isGlobal) return sql`activations`
  return sql`(
    select stored.* from activations stored
      join (${memberships}) as published
        on published.computer_id = stored.computer_id and published.group_id = stored.group_id)`
}

/** Lists the groups through which a scope of one computer publishes. */
export async function listScopeGroupIds(db: Database, { memberships }: ActivationScope): Promise<string[]> {
  const { rows } = await sql<{ group_id: string }>`
    select group_id from (${memberships}) as memberships where group_id is not null order by group_id`.execute(db)
  return rows.map(({ group_id }) => group_id)
}

/** Above this number of computers, hash joins over whole tables are faster than nested loops. */
const maxNestedLoopComputers = 50

/**
 * Keeps all groups that assign something to the computers from being deleted until the transaction ends. Groups are locked
 * before computers, so every operation on a scope begins with this.
 */
export async function pinScopeGroups(db: Database, scope: ActivationScope): Promise<void> {
  await prepareForSize(db, scope)
  await pinGroupsOfScope(db, scope)
}

/** Like `pinScopeGroups`, for a scope whose size is known. */
export async function pinGroupsOfScope(db: Database, { computers, groupId }: ActivationScope): Promise<void> {
  await sql`
    select count(*) from (
      select id from groups
      where id = ${groupId}::uuid or id in (
        select above.ancestor_id from group_ancestors above
        where above.descendant_id in (
          select member.group_id from effective_memberships member
          where member.computer_id in (${computers})))
      order by id for key share
    ) as pinned`.execute(db)
}

/**
 * Keeps the computers from being deleted until the transaction ends. Locks their memberships, which keeps others from
 * activating or deactivating the same computers; contacts and reports of their agents do not need these. Returns the
 * number of computers, how many of them have no MAC address, and the time of the transaction. The caller has pinned the
 * groups.
 */
export async function lockScope(db: Database, scope: ActivationScope) {
  const { rows } = await sql<{ computerCount: number; withoutMacAddress: number; now: Date }>`
    select count(*)::integer as "computerCount", (count(*) - count(mac_key))::integer as "withoutMacAddress", now()
    from (
      select id, mac_key from computers where id in (${scope.computers}) order by id for key share
    ) as pinned`.execute(db)
  await sql`
    select count(*) from (
      select computer_id from group_computers
      where computer_id in (${scope.computers}) and group_id in (select id from permanent_groups)
      order by computer_id, group_id for no key update
    ) as locked`.execute(db)
  return rows[0] ?? { computerCount: 0, withoutMacAddress: 0, now: new Date() }
}

/**
 * The planner cannot estimate how much is effective for how many computers. A nested loop that is based on too low an
 * estimate takes hours. No plan is good for all values either, so each statement is planned for its own. A single statement may
 * write millions of rows, hence the long timeout.
 */
export async function prepareForSize(db: Database, { computers }: ActivationScope): Promise<void> {
  await sql`
    select set_config('enable_nestloop', case when count(*) > ${maxNestedLoopComputers} then 'off' else 'on' end, true),
      set_config('plan_cache_mode', case when count(*) > ${maxNestedLoopComputers} then 'force_custom_plan'
        else current_setting('plan_cache_mode') end, true),
      set_config('jit', 'off', true), set_config('statement_timeout', '15min', true)
    from (${computers}) as scope`.execute(db)
}
