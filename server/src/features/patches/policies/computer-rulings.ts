import { type RawBuilder, sql } from 'kysely'
import { effectivePmGroups } from '../effective-pm-groups.ts'
import { hasOnlyPreviousScan, missingPatches } from '../missing-patches.ts'
import { type PatchSeverity, severityOfPatch } from '../patch-severities.ts'
import { effectiveRulings, isReleasedByRule, isReleasedByRuling } from './effective-rulings.ts'
import { describePatchPause, withReason } from './patch-pauses.ts'
import type { PatchRing } from './patch-rings.ts'
import { describeRingOpening, type RulingProgress } from './ring-opening.ts'

/**
 * Whether a missing patch is released to a computer, and what decides it, those states first that are closest to a release. Undecided:
 * neither a PM group nor a policy of the computer releases it, and no rule matches it.
 */
export const releaseStates = [
  'ReleasedByGroup',
  'Released',
  'WaitingForRing',
  'Paused',
  'Waiting',
  'NeedsReview',
  'Stopped',
  'Declined',
  'Undecided',
] as const

export type ReleaseState = (typeof releaseStates)[number]

export type ComputerRuling = {
  patchId: number
  patchName: string
  productId: number
  productName: string
  severity: PatchSeverity
  releaseDate: string | null
  isConfirmed: boolean
  state: ReleaseState
  /** The patch policy that decides, if any does. */
  policyId: number | null
  policyName: string | null
  ruleNumber: number | null
  ruleName: string | null
  groupId: string | null
  groupPath: string | null
  approvedUtc: Date | null
  isApprovedByPerson: boolean
  pmGroupName: string | null
  /** The ring of the computer, if the policy has rings. */
  ring: number | null
  ringName: string | null
  openRing: number | null
  /** How far the policy has released the patch; null: no ring has opened, and nobody has paused or stopped it. */
  progress: RulingProgress | null
  /** The rings of the policy. */
  rings: PatchRing[]
}

/** What decides about each patch that the computer lacks; what a PM group releases is released, whatever a policy says. */
export function computerRulings(computerId: number): RawBuilder<ComputerRuling> {
  const computer = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  return sql<ComputerRuling>`
    with ruling as materialized (${effectiveRulings(computer)}), pm_group as materialized (
      ${effectivePmGroups(computer)}
    )
    select patches.id as "patchId", patches.name as "patchName", patch_products.id as "productId",
      patch_products.name as "productName", ${severityOfPatch} as severity, patches.release_date::text as "releaseDate",
      not patches.is_known_by_scan_only as "isConfirmed",
      case when released.name is not null then 'ReleasedByGroup' when ruling.policy_id is null then 'Undecided'
        when ${isReleasedByRuling('ruling', 'link')} then 'Released'
        when ruling.action <> 'Decline' and ruling.is_stopped then 'Stopped'
        when ruling.approved_from <= now() and ruling.is_paused then 'Paused'
        when ruling.approved_from <= now() then 'WaitingForRing'
        when ruling.action = 'Approve' then 'Waiting' when ruling.action = 'Review' then 'NeedsReview' else 'Declined' end as state,
      policy.id as "policyId", policy.name as "policyName", ruling.rule_number as "ruleNumber",
      policy.rules -> (ruling.rule_number - 1) ->> 'name' as "ruleName", ruling.group_id as "groupId", groups.path as "groupPath",
      ruling.approved_from as "approvedUtc",
      released.name is null and coalesce(ruling.action <> 'Decline', false) and link.approved_at is not null
        and not ${isReleasedByRule('ruling')} as "isApprovedByPerson",
      released.name as "pmGroupName", ruling.ring, policy.rings -> (ruling.ring - 1) ->> 'name' as "ringName",
      case when ruling.ring is not null then ruling.open_ring end as "openRing", coalesce(policy.rings, '[]') as rings,
      case when progress.policy_id is not null then jsonb_build_object('openedUtc', progress.opened_at, 'metUtc', progress.met_at,
        'counts', progress.counts, 'pause', progress.pause, 'stoppedUtc', progress.stopped_at, 'stoppedBy', progress.stopped_by,
        'stopReason', progress.stop_reason) end as progress
    from (${missingPatches}) as missing
      join patches on patches.id = missing.patch_id
      join patch_products on patch_products.id = missing.product_id
      join patch_links link on link.patch_id = missing.patch_id and link.product_id = missing.product_id
      left join ruling on ruling.patch_id = missing.patch_id and ruling.product_id = missing.product_id
      left join patch_policies policy on policy.id = ruling.policy_id
      left join groups on groups.id = ruling.group_id
      left join patch_ring_progress progress on progress.policy_id = ruling.policy_id and progress.patch_id = ruling.patch_id
        and progress.product_id = ruling.product_id
      left join lateral (
        select min(pm_groups.name) as name
        from pm_group join pm_groups on pm_groups.id = pm_group.pm_group_id
          join pm_group_patches listed on listed.pm_group_id = pm_group.pm_group_id and listed.patch_id = missing.patch_id
            and listed.product_id = missing.product_id
        where pm_group.is_test or pm_group.is_emergency or link.approved_at is not null
      ) as released on true
    where missing.computer_id = ${computerId} and not ${hasOnlyPreviousScan('missing.computer_id')}`
}

function describeStop(progress: RulingProgress | null): string {
  const { stoppedBy, stoppedUtc, stopReason } = progress ?? {}
  return withReason(`${stoppedBy} stopped it on ${stoppedUtc?.slice(0, 10)}`, stopReason ?? null)
}

/** The ruling in the shape of the API, with its sentence. */
export function toRulingAnswer({ progress, rings, ...ruling }: ComputerRuling) {
  return { ...ruling, message: formatRuling({ ...ruling, progress, rings }) }
}

/** The ruling as a sentence for people. */
export function formatRuling(ruling: ComputerRuling): string {
  const { state, policyName, ruleName, approvedUtc, isApprovedByPerson, pmGroupName } = ruling
  const rule = `rule "${ruleName}" of the patch policy ${policyName}`
  const day = approvedUtc?.toISOString().slice(0, 10)
  switch (state) {
    case 'ReleasedByGroup':
      return `The patch management group ${pmGroupName} releases it.`
    case 'Released':
      return isApprovedByPerson ? `A person approved it, as the ${rule} allows.` : `The ${rule} approved it on ${day}.`
    case 'WaitingForRing':
      return `The ${rule} approved it on ${day}; ${describeRingOpening(ruling)}`
    case 'Paused':
      return `The ${rule} approved it on ${day}, but it waits: ${ruling.progress?.pause ? describePatchPause(ruling.progress.pause) : ''}`
    case 'Stopped':
      return `The patch policy ${policyName} does not release it: ${describeStop(ruling.progress)}`
    case 'Waiting':
      return day
        ? `The ${rule} approves it on ${day}.`
        : `The ${rule} would approve it only after the rule has ceased to match it.`
    case 'NeedsReview':
      return `The ${rule} leaves it to a person, who has not approved it.`
    case 'Declined':
      return `The ${rule} declines it.`
    case 'Undecided':
      return ruling.isConfirmed
        ? 'No patch management group of the computer releases it, and no rule of its patch policies matches it.'
        : 'No patch management group of the computer releases it, and no rule of its patch policies matches it. No catalog or ' +
            'advisory names the patch: only rules for unconfirmed patches match it.'
  }
}
