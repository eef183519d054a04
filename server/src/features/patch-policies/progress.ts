import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type PatchSeverity, severityOfPatch } from '../patches/patch-severities.ts'
import { isPresentRuling } from '../patches/policies/effective-rulings.ts'
import { describePatchPause, type PatchPause, withReason } from '../patches/policies/patch-pauses.ts'
import { noRingComputers, type PatchRing, type RingComputers } from '../patches/policies/patch-rings.ts'
import { describeNextOpening, nameRing } from '../patches/policies/ring-opening.ts'
import { isNotRolledBack, isRolledBack, patchesToRollBack } from '../patches/policies/rollbacks.ts'
import { patchNotOfPolicy } from './api/problems.ts'

/** Waiting: before the first ring. Completed: the last ring has met its gate. */
export const patchProgressStates = ['Waiting', 'Open', 'Paused', 'Stopped', 'Completed'] as const

export type PatchProgressState = (typeof patchProgressStates)[number]

type ProgressRow = {
  patchId: number
  patchName: string
  productId: number
  productName: string
  severity: PatchSeverity
  state: PatchProgressState
  openRing: number
  rings: PatchRing[]
  counts: RingComputers[]
  approvedUtc: Date | null
  isApprovedByPerson: boolean
  openedAtUtc: Date | null
  metAtUtc: Date | null
  completedAtUtc: Date | null
  pausedAtUtc: Date | null
  pause: PatchPause | null
  stoppedAtUtc: Date | null
  stoppedBy: string | null
  stopReason: string | null
  /** Null if computers that have the patch keep it. */
  rollback: RollbackCounts | null
}

/** Computers by what has become of a rollback. */
type RollbackCounts = { waiting: number; rolledBack: number; notRolledBack: number }

/** Counts the computers that roll a patch back: one of the policy and the product version of `progress`. */
const rollbackCounts = sql<RollbackCounts>`(
    select jsonb_build_object(
      'waiting', (
        select count(*) from (${patchesToRollBack(sql`
          select have.computer_id as owner_id from computer_patches have
          where have.patch_id = progress.patch_id and have.product_id = progress.product_id and not have.is_missing`)}) as todo
        where todo.policy_id = progress.policy_id and todo.patch_id = progress.patch_id and todo.product_id = progress.product_id),
      'rolledBack', count(*) filter (where ${isRolledBack('asked', 'scanned')}),
      'notRolledBack', count(*) filter (where ${isNotRolledBack('asked', 'scanned', 'agents')}))
    from patch_rollbacks asked
      left join agents on agents.computer_id = asked.computer_id
      left join computer_patches scanned on scanned.computer_id = asked.computer_id and scanned.patch_id = asked.patch_id
        and scanned.product_id = asked.product_id
    where asked.policy_id = progress.policy_id and asked.patch_id = progress.patch_id and asked.product_id = progress.product_id)`

/** The patches of a policy that have begun their rings, or that somebody paused or stopped. */
export function progressRows(db: Database, policyId: number) {
  const rows = sql<ProgressRow>`(
    select progress.patch_id as "patchId", patches.name as "patchName", progress.product_id as "productId",
      patch_products.name as "productName", ${severityOfPatch} as severity,
      case when progress.stopped_at is not null then 'Stopped' when progress.paused_at is not null then 'Paused'
        when progress.completed_at is not null then 'Completed' when progress.ring > 0 then 'Open' else 'Waiting' end as state,
      progress.ring as "openRing", policy.rings, progress.counts, ruling.approved_from as "approvedUtc",
      link.approved_at is not null as "isApprovedByPerson", progress.opened_at as "openedAtUtc", progress.met_at as "metAtUtc",
      progress.completed_at as "completedAtUtc", progress.paused_at as "pausedAtUtc", progress.pause,
      progress.stopped_at as "stoppedAtUtc", progress.stopped_by as "stoppedBy", progress.stop_reason as "stopReason",
      case when progress.rolls_back then ${rollbackCounts} end as rollback
    from patch_ring_progress progress
      join patch_policies policy on policy.id = progress.policy_id
      join patches on patches.id = progress.patch_id
      join patch_products on patch_products.id = progress.product_id
      join patch_links link on link.patch_id = progress.patch_id and link.product_id = progress.product_id
      left join patch_policy_rulings ruling on ruling.policy_id = progress.policy_id and ruling.patch_id = progress.patch_id
        and ruling.product_id = progress.product_id and ${isPresentRuling('ruling')}
    where progress.policy_id = ${policyId})`.as<'progress'>(sql`progress`)
  return db.selectFrom(rows).selectAll()
}

/** In the shape of the API. */
export function toProgressAnswer(row: ProgressRow) {
  const { counts, pause, stoppedBy, stopReason, approvedUtc: _, metAtUtc: __, ...shown } = row
  const rings = row.rings.map(({ name }, at) => {
    const { installed, lacking, failed, away } = counts.find(({ ring }) => ring === at + 1) ?? noRingComputers
    return { ring: at + 1, name, installed, lacking, failed, away }
  })
  return {
    ...shown,
    rings,
    pausedBy: pause?.code === 'ByPrincipal' ? pause.by : null,
    stoppedBy,
    message: describe(row),
  }
}

function describe(row: ProgressRow): string {
  const { state, pause, stoppedBy, stoppedAtUtc, stopReason, openRing, rings, counts, approvedUtc, metAtUtc } = row
  if (state === 'Stopped')
    return (
      withReason(`${stoppedBy} stopped it on ${stoppedAtUtc?.toISOString().slice(0, 10)}`, stopReason) +
      describeRollbacks(row.rollback)
    )
  if (state === 'Paused' && pause) return describePatchPause(pause)
  if (row.isApprovedByPerson) return 'A person approved it, which releases it to all rings.'
  if (rings.length === 0) return 'The policy has no rings.'
  if (state === 'Completed') return 'All rings are open.'
  const next = rings[openRing]
  if (!next) return 'All rings are open. It is completed once the last one has met its gate.'
  if (!approvedUtc) return 'No rule of the policy approves it now.'
  const progress = { metUtc: metAtUtc?.toISOString() ?? null, counts }
  const opening = describeNextOpening({ rings, approvedUtc, progress }, openRing)
  const subject = nameRing(openRing + 1, next)
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${opening}.`
}

function describeRollbacks(rollback: RollbackCounts | null): string {
  if (!rollback) return ''
  const { waiting, rolledBack, notRolledBack } = rollback
  return ` Computers that rolled it back: ${rolledBack}; that cannot: ${notRolledBack}; that still have to: ${waiting}.`
}

/** A patch of a policy for one product version. */
export type LockedProgress = {
  patchId: number
  productId: number
  isPaused: boolean
  isStopped: boolean
  rollsBack: boolean
  isApprovedByPerson: boolean
}

/** Locks the progress of a patch, which begins if there is none yet. Throws if the policy never releases the patch. */
export async function lockProgress(
  db: Database,
  policyId: number,
  { patchId, productId = null }: { patchId: number; productId?: number | undefined | null },
): Promise<LockedProgress[]> {
  const isOfProduct = (product: string) =>
    sql<boolean>`(${productId}::integer is null or ${sql.ref(product)} = ${productId}::integer)`
  await sql`
    insert into patch_ring_progress (policy_id, patch_id, product_id)
    select policy_id, patch_id, product_id from patch_policy_rulings ruling
    where policy_id = ${policyId} and patch_id = ${patchId} and ${isOfProduct('product_id')} and action <> 'Decline'
      and ${isPresentRuling('ruling')}
    order by product_id
    on conflict do nothing`.execute(db)
  const { rows } = await sql<LockedProgress>`
    select progress.patch_id as "patchId", progress.product_id as "productId", progress.paused_at is not null as "isPaused",
      progress.stopped_at is not null as "isStopped", progress.rolls_back as "rollsBack", link.approved_at is not null as "isApprovedByPerson"
    from patch_ring_progress progress
      join patch_links link on link.patch_id = progress.patch_id and link.product_id = progress.product_id
    where progress.policy_id = ${policyId} and progress.patch_id = ${patchId} and ${isOfProduct('progress.product_id')}
    order by progress.product_id for update of progress`.execute(db)
  if (rows.length === 0) throw patchNotOfPolicy({ policyId, patchId })
  return rows
}

/** The product versions of these rows, as a condition for their update. */
export const isProgressOf = (policyId: number, items: readonly LockedProgress[]) => sql<boolean>`
  policy_id = ${policyId} and patch_id = any(${items.map(({ patchId }) => patchId)}::integer[])
    and product_id = any(${items.map(({ productId }) => productId)}::integer[])`

/** The same rows in the shape of the API, after a change. */
export async function listProgressOf(db: Database, policyId: number, items: readonly LockedProgress[]) {
  const rows = await progressRows(db, policyId)
    .where(
      'patchId',
      'in',
      items.map(({ patchId }) => patchId),
    )
    .where(
      'productId',
      'in',
      items.map(({ productId }) => productId),
    )
    .orderBy('productId')
    .execute()
  return rows.map(toProgressAnswer)
}
