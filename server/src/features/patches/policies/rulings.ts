import { type RawBuilder, sql } from 'kysely'
import { lockForTransaction } from '../../../database/advisory-locks.ts'
import { analyzeGrownTables } from '../../../database/after-bulk-write.ts'
import type { Database } from '../../../database/connect.ts'
import { severityOfPatch } from '../patch-severities.ts'
import { isMatchedByRule, type PolicyRows, type RuleAction, ruleRows } from './patch-rules.ts'

/** What a policy says about a patch for one product, in a span of time. */
export type Ruling = {
  policy_id: number
  patch_id: number
  product_id: number
  valid_from: Date
  valid_until: Date
  rule_number: number
  action: RuleAction
  approved_from: Date | null
}

/** Days of 24 hours: the result must not depend on the time zone of the session. */
const days = (count: RawBuilder<unknown>) => sql`${count} * interval '24 hours'`

/**
 * The time from which the age of a patch counts: its release, as documents state it, and otherwise when it became known. A computer
 * that is the first to report a patch must not decide when it is approved.
 */
export const patchSince = sql<Date>`
  coalesce(case when not patches.is_known_by_scan_only then patches.release_date::timestamp at time zone 'UTC' end,
    patches.created_at)`

/** What rules can ask about a patch for one product. */
const linkRows = (isInScope: RawBuilder<boolean>) => sql`
  select patch_links.patch_id, patch_links.product_id, ${severityOfPatch} as severity, patches.patch_type, patches.cvss_score,
    patches.vrr_score, patches.is_exploited, patches.is_known_by_scan_only, patches.name, patches.bulletin_title as title,
    patch_products.name as product, patch_products.vendor,
    ${patchSince} as since
  from patch_links
    join patches on patches.id = patch_links.patch_id
    join patch_products on patch_products.id = patch_links.product_id
  where ${isInScope}`

/**
 * The rulings of policies. Of the rules that match a patch, the first one decides at each moment. Only rules with an age match for a
 * limited time: what the rules before leave of the time of a rule is its own.
 */
export function rulingsOf(policies: PolicyRows, isInScope: RawBuilder<boolean> = sql`true`): RawBuilder<Ruling> {
  return sql<Ruling>`
    with rule as materialized (${ruleRows(policies)}), link as materialized (${linkRows(isInScope)}), matched as (
      select rule.policy_id, link.patch_id, link.product_id, rule.number, rule.action,
        link.since + ${days(sql`rule.after_days`)} as ready_at,
        tstzrange(coalesce(link.since + ${days(sql`rule.min_age_days`)}, '-infinity'),
          coalesce(link.since + ${days(sql`(rule.max_age_days + 1)`)}, 'infinity')) as span
      from rule join link on ${isMatchedByRule}
    ), remaining as (
      select matched.*, tstzmultirange(span) - coalesce(
        range_agg(span) over (
          partition by policy_id, patch_id, product_id order by number rows between unbounded preceding and 1 preceding),
        '{}') as own
      from matched
    )
    select policy_id, patch_id, product_id, lower(part) as valid_from, upper(part) as valid_until, number as rule_number, action,
      case when action = 'Approve' and greatest(lower(part), ready_at) < upper(part)
        then greatest(lower(part), ready_at) end as approved_from
    from remaining cross join lateral unnest(own) as part`
}

const columns = sql`policy_id, patch_id, product_id, valid_from, valid_until, rule_number, action, approved_from`

/** Brings the stored rulings of a policy up to date after a change of its rules. */
export async function recordRulingsOfPolicy(db: Database, policyId: number): Promise<void> {
  const policies: PolicyRows = sql`select id as policy_id, rules from patch_policies where id = ${policyId}`
  await recordRulings(db, rulingsOf(policies), sql`stored.policy_id = ${policyId}`)
  await analyzeGrownTables(db, ['patch_policy_rulings'])
}

/** Brings the stored rulings up to date after something became known about these patches. */
export async function recordRulingsOfPatches(db: Database, patchIds: readonly number[]): Promise<void> {
  if (patchIds.length === 0) return
  const policies: PolicyRows = sql`select id as policy_id, rules from patch_policies`
  const isOfPatches = sql<boolean>`patch_id = any(${patchIds}::integer[])`
  await recordRulings(db, rulingsOf(policies, isOfPatches), isOfPatches)
}

/** Rules and patches must not change at the same time: each change would not see the other. */
export const lockRulings = (db: Database) => lockForTransaction(db, 'patchCatalog')

async function recordRulings(db: Database, rulings: RawBuilder<Ruling>, isInScope: RawBuilder<boolean>): Promise<void> {
  await sql`
    with fresh as materialized (${rulings}), outdated as (
      -- By grouping and by place, not by joins: the planner believes that there are few fresh rulings, and would compare each stored
      -- one with all of them.
      delete from patch_policy_rulings where ctid = any (array(
        select min(place) from (
          select stored.ctid as place, policy_id, patch_id, product_id, valid_from from patch_policy_rulings stored
          where ${isInScope}
          union all select null, policy_id, patch_id, product_id, valid_from from fresh
        ) as ruling
        group by policy_id, patch_id, product_id, valid_from having count(*) = count(place)))
    )
    insert into patch_policy_rulings as stored (${columns})
    select ${columns} from fresh order by policy_id, patch_id, product_id, valid_from
    on conflict on constraint patch_policy_rulings_pkey do update set valid_until = excluded.valid_until,
      rule_number = excluded.rule_number, action = excluded.action, approved_from = excluded.approved_from
    where (stored.valid_until, stored.rule_number, stored.action, stored.approved_from)
      is distinct from (excluded.valid_until, excluded.rule_number, excluded.action, excluded.approved_from)`.execute(
    db,
  )
}
