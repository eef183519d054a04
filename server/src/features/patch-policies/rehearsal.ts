import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { computersBelow } from '../groups/affected-computers.ts'
import { type PatchSeverity, severityOfPatch } from '../patches/patch-severities.ts'
import type { PatchRule } from '../patches/policies/patch-rules.ts'
import { patchSince, rulingsOf } from '../patches/policies/rulings.ts'

export type Rehearsal = {
  days: { day: string; patchCount: number; computerCount: number; lackingCount: number }[]
  patchCount: number
  computerCount: number
  lackingCount: number
  scannedComputers: number
  isEstimate: boolean
  rules: { number: number; patchCount: number }[]
  undecidedCount: number
  patches: RehearsedPatch[]
}

type RehearsedPatch = {
  patchId: number
  patchName: string
  productName: string
  severity: PatchSeverity
  ruleNumber: number
  approvedUtc: Date
}

type Scope = { rules: readonly PatchRule[]; groupId: string | null; days: number }

/** Up to this number of computers, all are counted; of more, this many at random. Their numbers are then right to within 2 %. */
const maxSample = 3_000

const maxPatches = 100

/**
 * What rules would have approved, with what is known about patches today. The computers are those whose last scan names a patch: what a
 * computer lacked at that time is not stored.
 */
export async function rehearse(db: Database, { rules, groupId, days }: Scope): Promise<Rehearsal> {
  const { rows: approved } = await approvedPatches(rules, days).execute(db)
  const { rows } = await countByRule(rules, days).execute(db)
  const byRule = new Map(rows.map(({ number, count }) => [number, count]))
  return {
    ...(await countComputers(db, approved, groupId)),
    patchCount: approved.length,
    rules: rules.map((_, at) => ({ number: at + 1, patchCount: byRule.get(at + 1) ?? 0 })),
    undecidedCount: byRule.get(null) ?? 0,
    patches: approved.slice(0, maxPatches).map(({ productId: _, ...patch }) => patch),
  }
}

/** Whether a patch has been released in this time, or became known if no document states its release. */
const isRecent = (days: number) => sql<boolean>`${patchSince} >= now() - ${days}::integer * interval '24 hours'`

/** How many days after its release a patch is approved at the latest: a rule may begin where the time of an earlier one ends. */
const maxWaitDays = (rules: readonly PatchRule[]) =>
  Math.max(
    ...rules.map(({ afterDays = 0, minAgeDays = 0, maxAgeDays = -1 }) =>
      Math.max(afterDays, minAgeDays, maxAgeDays + 1),
    ),
  )

const rehearsed = (rules: readonly PatchRule[]) =>
  sql<{ policy_id: number; rules: unknown }>`select 0 as policy_id, ${JSON.stringify(rules)}::jsonb as rules`

type ApprovedPatch = RehearsedPatch & { productId: number }

function approvedPatches(rules: readonly PatchRule[], days: number): RawBuilder<ApprovedPatch> {
  return sql<ApprovedPatch>`
    select patches.id as "patchId", patches.name as "patchName", products.id as "productId", products.name as "productName",
      ${severityOfPatch} as severity, ruling.rule_number as "ruleNumber", ruling.approved_from as "approvedUtc"
    from (${rulingsOf(rehearsed(rules), isRecent(days + maxWaitDays(rules)))}) as ruling
      join patches on patches.id = ruling.patch_id
      join patch_products products on products.id = ruling.product_id
    where ruling.approved_from > now() - ${days}::integer * interval '24 hours' and ruling.approved_from <= now()
    order by ruling.approved_from desc, lower(patches.name), patches.id, products.id`
}

/** How many of the patches released in this time each rule decides about today; null for those that none matches. */
function countByRule(rules: readonly PatchRule[], days: number): RawBuilder<{ number: number | null; count: number }> {
  return sql<{ number: number | null; count: number }>`
    select ruling.rule_number as number, count(*)::integer as count
    from patch_links link
      join patches on patches.id = link.patch_id
      left join (${rulingsOf(rehearsed(rules), isRecent(days))}) as ruling on ruling.patch_id = link.patch_id
        and ruling.product_id = link.product_id and ruling.valid_from <= now() and now() < ruling.valid_until
    where ${isRecent(days)}
    group by 1`
}

type CountedDay = { day: string | null; computers: number; lacking: number; scanned: number; sampled: number }

/** Counts the computers of each day and of all days together. */
async function countComputers(db: Database, approved: readonly ApprovedPatch[], groupId: string | null) {
  const dayOf = ({ approvedUtc }: ApprovedPatch) => approvedUtc.toISOString().slice(0, 10)
  const { rows } = await sql<CountedDay>`
    with approved as materialized (
      select * from unnest(${approved.map(({ patchId }) => patchId)}::integer[],
        ${approved.map(({ productId }) => productId)}::integer[], ${approved.map(dayOf)}::text[])
        as approved (patch_id, product_id, day)
    ), scanned as materialized (
      select computer_id from patch_scans
      ${groupId === null ? sql`` : sql`where computer_id in (${computersBelow(sql`select ${groupId}::uuid as group_id`)})`}
    ), sample as materialized (
      select computer_id from scanned order by hashint4(computer_id) limit ${maxSample}
    ), reached as materialized (
      select named.computer_id, approved.day, bool_or(named.is_missing) as is_missing
      from sample
        -- By the index of the computer, whatever the planner believes about the size of the largest table.
        cross join lateral (
          select computer_id, patch_id, product_id, is_missing from computer_patches
          where computer_patches.computer_id = sample.computer_id offset 0) as named
        join approved on approved.patch_id = named.patch_id and approved.product_id = named.product_id
      group by named.computer_id, approved.day
    )
    select day, count(distinct computer_id)::integer as computers,
      (count(distinct computer_id) filter (where is_missing))::integer as lacking,
      (select count(*)::integer from scanned) as scanned, (select count(*)::integer from sample) as sampled
    from reached group by grouping sets ((day), ())`.execute(db)
  const total = rows.find(({ day }) => day === null)
  const { scanned = 0, sampled = 0 } = total ?? {}
  const toFleet = (count = 0) => (sampled === 0 ? 0 : Math.round((count * scanned) / sampled))
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const days = [...Map.groupBy(approved, dayOf)].map(([day, patches]) => ({
    day,
    patchCount: patches.length,
    computerCount: toFleet(byDay.get(day)?.computers),
    lackingCount: toFleet(byDay.get(day)?.lacking),
  }))
  return {
    days: days.sort((a, b) => a.day.localeCompare(b.day)),
    computerCount: toFleet(total?.computers),
    lackingCount: toFleet(total?.lacking),
    scannedComputers: scanned,
    isEstimate: sampled < scanned,
  }
}
