import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** Which computers an activation or its end is about, and through which of their groups. */
export type ActivationScope = {
  /** Selects `owner_id`. */
  computers: RawBuilder<unknown>
  /** Selects `computer_id` and `group_id`, which is null for a computer that is in no group. */
  memberships: RawBuilder<unknown>
  /** Whether it is about all groups of the computers. */
  isGlobal: boolean
}

/** Membership in the group of a pending reinstall is none: it brings nothing. */
export const ownGroup = sql`join groups own on own.id = member.group_id and own.kind <> 'Reinstall'`

/** One computer with all its groups, or with its configuration group, else the first of its assignment groups. */
export function scopeOfComputer(id: number, isGlobal: boolean): ActivationScope {
  return {
    computers: sql`select ${id}::integer as owner_id`,
    memberships: sql`
      select computers.id as computer_id, node.group_id
      from computers left join lateral (
        select member.group_id from group_computers member ${ownGroup}
        where member.computer_id = computers.id
        order by own.tree <> 'ConfigurationGroups', own.path collate "C", own.id
        ${isGlobal ? sql`` : sql`limit 1`}
      ) as node on true
      where computers.id = ${id}`,
    isGlobal,
  }
}

/** The computers in a group and in those below, with all their groups, or with these alone. */
export function scopeOfGroup(id: string, isGlobal: boolean): ActivationScope {
  const members = sql`
    select member.computer_id, member.group_id
    from group_ancestors below join group_computers member on member.group_id = below.descendant_id ${ownGroup}
    where below.ancestor_id = ${id}`
  const computers = sql`select distinct computer_id as owner_id from (${members}) as members`
  return {
    computers,
    memberships: isGlobal
      ? sql`
          select member.computer_id, member.group_id
          from (${computers}) as asked join group_computers member on member.computer_id = asked.owner_id ${ownGroup}`
      : members,
    isGlobal,
  }
}

/** The groups through which the scope publishes for its only computer. */
export async function groupIdsOf(db: Database, { memberships }: ActivationScope): Promise<string[]> {
  const { rows } = await sql<{ group_id: string }>`
    select group_id from (${memberships}) as memberships where group_id is not null order by group_id`.execute(db)
  return rows.map(({ group_id }) => group_id)
}

/** For so many computers, whole tables are read at once rather than row by row. */
const many = 50

/**
 * Until the transaction ends, the computers and whatever groups bring them something stay, and nobody else activates or
 * deactivates the same computers. Returns their number, and the time of the transaction.
 */
export async function lockScope(db: Database, { computers }: ActivationScope) {
  const { rows } = await sql<{ computerCount: number; now: Date }>`
    select count(*)::integer as "computerCount", now()
    from (select id from computers where id in (${computers}) order by id for key share) as held`.execute(db)
  const [held = { computerCount: 0, now: new Date() }] = rows
  // The database cannot guess how much is effective for how many, and a loop over too little a guess takes hours. What is
  // written may be millions of rows in one statement.
  const nestloop = held.computerCount > many ? 'off' : 'on'
  await sql`
    select set_config('enable_nestloop', ${nestloop}, true), set_config('jit', 'off', true),
      set_config('statement_timeout', '15min', true)`.execute(db)
  await sql`
    select count(*) from (
      select id from groups
      where id in (
        select above.ancestor_id from group_ancestors above
        where above.descendant_id in (select group_id from group_computers where computer_id in (${computers})))
      order by id for key share
    ) as held`.execute(db)
  await sql`
    select count(*) from (
      select id from activations where computer_id in (${computers}) order by computer_id, group_id for update
    ) as held`.execute(db)
  return held
}

/** Writes down what follows from the activations of the computers: PXE is active where one of them says so. */
export async function followPxeBits(db: Database, { computers }: ActivationScope): Promise<void> {
  await sql`
    update computers set is_pxe_active = not computers.is_pxe_active
    from (
      select c.id from computers c
      where c.id in (${computers})
        and c.is_pxe_active <> exists (select from activations a where a.computer_id = c.id and a.pxe)
      order by c.id for no key update
    ) as changed
    where computers.id = changed.id`.execute(db)
}
