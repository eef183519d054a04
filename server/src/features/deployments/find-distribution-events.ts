import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export type DistributionEventFilter = {
  results?: readonly string[] | undefined
  installModes?: readonly string[] | undefined
  computerId?: number | undefined
  /** The computers in and below this group. */
  groupId?: string | undefined
  packageId?: string | undefined
  after?: Date | undefined
  before?: Date | undefined
  /** Only events with smaller ids. */
  beforeId?: number | undefined
  limit: number
}

export type FoundDistributionEvents = {
  ids: number[]
  /** Where the search for older events begins; null if there are none. */
  nextBeforeId: number | null
  /** The time of the oldest event that was looked at; null if there was none. */
  searchedUntil: Date | null
}

/**
 * A statement looks at no more events than this, however few of them the filter selects: the table has those of years. The caller
 * continues where it ended.
 */
const maxScannedEvents = 20_000

/** The events of at most this many computers are read one computer after the other, instead of looking for them among all events. */
const maxComputersOneByOne = 500

/** Events are recorded when transactions end, but have the time at which they began. */
const maxTransactionTime = '10 minutes'

/** Finds the ids of distribution events, newest first, with an index for each kind of filter. */
export async function findDistributionEvents(
  db: Database,
  filter: DistributionEventFilter,
): Promise<FoundDistributionEvents> {
  const { computerId, groupId } = filter
  const members = computerId === undefined && groupId ? await listFewMembers(db, groupId) : undefined
  return members ? findOfMembers(db, members, filter) : findAmongNewest(db, filter)
}

/** The computers in and below a group, unless there are many. */
async function listFewMembers(db: Database, groupId: string): Promise<number[] | undefined> {
  const { rows } = await sql<{ computer_id: number }>`
    select distinct computer_id from (${membersOf(groupId)}) as member limit ${maxComputersOneByOne + 1}`.execute(db)
  return rows.length > maxComputersOneByOne ? undefined : rows.map((row) => row.computer_id)
}

const membersOf = (groupId: string) => sql`
  select member.computer_id
  from group_ancestors below join group_computers member on member.group_id = below.descendant_id
  where below.ancestor_id = ${groupId}::uuid`

type FoundRow = { id: number; logged_at: Date }

async function findOfMembers(
  db: Database,
  members: readonly number[],
  filter: DistributionEventFilter,
): Promise<FoundDistributionEvents> {
  const { limit } = filter
  const { rows } = await sql<FoundRow>`
    select event.id, event.logged_at
    from unnest(${members}::integer[]) as member (computer_id) cross join lateral (
      select id, logged_at from distribution_events
      where computer_id = member.computer_id and ${isInRange(filter)} and ${matches(filter)}
      order by id desc limit ${limit + 1}
    ) as event
    order by event.id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit)
}

/** Looks at the newest events first: all of them, or those of the computer or package. */
async function findAmongNewest(db: Database, filter: DistributionEventFilter): Promise<FoundDistributionEvents> {
  const { computerId, groupId, packageId, limit } = filter
  const ofOne = [
    ...(computerId === undefined ? [] : [sql`computer_id = ${computerId}`]),
    ...(packageId ? [sql`package_id = ${packageId}::uuid`] : []),
  ]
  const ofGroup = computerId === undefined && groupId ? sql`computer_id in (${membersOf(groupId)})` : sql`true`
  const { results, installModes, after, before } = filter
  const isSearch = [results, installModes, after, before, groupId].some((criterion) => criterion !== undefined)
  const maxScanned = isSearch ? maxScannedEvents : limit + 1
  const { rows } = await sql<FoundRow & { scanned: number; last_id: number | null; last_at: Date | null }>`
    with scanned as materialized (
      select id, computer_id, result, install_mode, logged_at from distribution_events
      where ${sql.join([isInRange(filter), ...ofOne], sql` and `)}
      order by id desc limit ${maxScanned}
    )
    select all_scanned.*, found.id, found.logged_at
    from (select count(*)::integer as scanned, min(id) as last_id, min(logged_at) as last_at from scanned) as all_scanned
      left join lateral (
        select id, logged_at from scanned where ${matches(filter)} and ${ofGroup} order by id desc limit ${limit + 1}
      ) as found on true
    order by found.id desc`.execute(db)
  const [{ scanned, last_id, last_at } = { scanned: 0, last_id: null, last_at: null }] = rows
  const page = toPage(
    rows.filter(({ id }) => id !== null),
    limit,
  )
  if (page.nextBeforeId !== null || scanned < maxScanned) return page
  return { ...page, nextBeforeId: last_id, searchedUntil: last_at }
}

function toPage(rows: readonly FoundRow[], limit: number): FoundDistributionEvents {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const ids = shown.map(({ id }) => id)
  return {
    ids,
    nextBeforeId: rows.length > limit ? (last?.id ?? null) : null,
    searchedUntil: last?.logged_at ?? null,
  }
}

/** The ids that the times and the page allow. Ids are in the order of time, so no index of times is needed. */
function isInRange({ after, before, beforeId }: DistributionEventFilter): RawBuilder<boolean> {
  const conditions = [
    ...(beforeId === undefined ? [] : [sql`id < ${beforeId}`]),
    ...(after ? [sql`id >= (${firstIdAfter(after, `-${maxTransactionTime}`)})`] : []),
    ...(before ? [sql`id < (${firstIdAfter(before, maxTransactionTime)})`] : []),
  ]
  return sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

/** Finds the first event after a time by halving the range of ids, with one look at the primary key for each half. */
const firstIdAfter = (time: Date, shift: string) => sql`
  with recursive range (low, high) as (
    select coalesce(min(id), 0), coalesce(max(id), 0) + 1 from distribution_events
    union all
    select case when probe.logged_at <= wanted.at and probe.id < range.high then probe.id + 1 else range.low end,
      case when probe.logged_at <= wanted.at and probe.id < range.high then range.high else middle.id end
    from range
      cross join lateral (select (range.low + range.high) / 2 as id) as middle
      cross join (select ${time}::timestamptz + ${shift}::interval as at) as wanted
      left join lateral (
        select id, logged_at from distribution_events event where event.id >= middle.id order by event.id limit 1
      ) as probe on true
    where range.low < range.high
  )
  select high from range order by high - low limit 1`

function matches({ results, installModes, after, before }: DistributionEventFilter): RawBuilder<boolean> {
  const conditions = [
    ...(results ? [sql`result = any (${results}::text[])`] : []),
    ...(installModes ? [sql`install_mode = any (${installModes}::text[])`] : []),
    ...(after ? [sql`logged_at >= ${after}`] : []),
    ...(before ? [sql`logged_at <= ${before}`] : []),
  ]
  return sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`
}
