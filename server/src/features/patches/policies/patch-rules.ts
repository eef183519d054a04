import { type RawBuilder, sql } from 'kysely'
import type { PatchSeverity } from '../patch-severities.ts'
import type { PatchType } from '../patch-types.ts'

/**
 * Approve: the patch is released some days after its release. Review: it is released once a person approves it. Decline: no policy
 * releases it.
 */
export const ruleActions = ['Approve', 'Review', 'Decline'] as const

export type RuleAction = (typeof ruleActions)[number]

/** Which patches a rule matches: those that meet all conditions. Without any, it matches all patches. */
export type RuleConditions = {
  severities?: PatchSeverity[]
  types?: PatchType[]
  products?: string[]
  vendors?: string[]
  titles?: string[]
  minCvssScore?: number
  minVrrScore?: number
  minAgeDays?: number
  maxAgeDays?: number
  exploited?: boolean
  /** Also patches that only scans have reported: their details come from a computer. */
  unconfirmed?: boolean
}

/** A rule as it is stored. */
export type PatchRule = { name: string; action: RuleAction; afterDays?: number } & RuleConditions

/** Policies with their rules, as JSON. */
export type PolicyRows = RawBuilder<{ policy_id: number; rules: unknown }>

/** The rules of policies, one row for each. Arrays of patterns are patterns of `like`. */
export const ruleRows = (policies: PolicyRows) => sql`
  select policy.policy_id, listed.number::smallint as number, rule.action, coalesce(rule."afterDays", 0) as after_days,
    rule.severities, rule.types, like_patterns(rule.products) as products, like_patterns(rule.vendors) as vendors,
    like_patterns(rule.titles) as titles, rule."minCvssScore" as min_cvss_score, rule."minVrrScore" as min_vrr_score,
    rule."minAgeDays" as min_age_days, rule."maxAgeDays" as max_age_days, rule.exploited as is_exploited,
    coalesce(rule.unconfirmed, false) as includes_unconfirmed
  from (${policies}) as policy
    cross join lateral jsonb_array_elements(policy.rules) with ordinality as listed (rule, number)
    cross join lateral jsonb_to_record(listed.rule) as rule (action text, "afterDays" integer, severities text[], types text[],
      products text[], vendors text[], titles text[], "minCvssScore" double precision, "minVrrScore" double precision,
      "minAgeDays" integer, "maxAgeDays" integer, exploited boolean, unconfirmed boolean)`

/**
 * Whether the row `rule` matches the row `link`, apart from its age. A condition on what is not known about a patch is not met.
 * PostgreSQL evaluates it in this order; patterns are the most expensive.
 */
export const isMatchedByRule = sql<boolean>`
  (rule.includes_unconfirmed or not link.is_known_by_scan_only)
  and (rule.severities is null or link.severity = any (rule.severities))
  and (rule.types is null or link.patch_type = any (rule.types))
  and (rule.min_cvss_score is null or link.cvss_score >= rule.min_cvss_score)
  and (rule.min_vrr_score is null or link.vrr_score >= rule.min_vrr_score)
  and (rule.is_exploited is null or link.is_exploited = rule.is_exploited)
  and (rule.products is null or lower(link.product) like any (rule.products))
  and (rule.vendors is null or lower(link.vendor) like any (rule.vendors))
  and (rule.titles is null or lower(link.name) like any (rule.titles) or lower(link.title) like any (rule.titles))`
