import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { getAgentFacts, listWaitingWork } from '../hand-out/waiting-work.ts'
import { isScanOfPreviousSystem } from '../patches/missing-patches.ts'
import {
  type ComputerRuling,
  computerRulings,
  formatRuling,
  releaseStates,
  toRulingAnswer,
} from '../patches/policies/computer-rulings.ts'
import { findRollbackText } from '../patches/policies/rollback-rows.ts'
import { patchNotFound } from '../patches/problems.ts'
import { releasedMissingPatches } from '../patches/released-patches.ts'
import type { Explanation } from './api/schemas.ts'
import { toExplainedWork, toWorkState } from './explain-package.ts'
import { newBlocker } from './explained-blockers.ts'
import { findFixWaitReason } from './missing-activation.ts'
import { listNotices } from './notices.ts'
import { listReachedSources } from './reached-sources.ts'
import { formatVerdict } from './verdict-messages.ts'

type PatchState = { has_scan: boolean; is_reported: boolean; is_missing: boolean; is_released: boolean }

/** Why a computer has, lacks or waits for a patch. A fix package installs what is missing and released. */
export async function explainPatch(db: Database, computerId: number, patchId: number): Promise<Explanation> {
  const patch = await db.selectFrom('patches').select(['id', 'name']).where('id', '=', patchId).executeTakeFirst()
  if (!patch) throw patchNotFound({ patchId })
  const isSubject = sql<boolean>`object_id in (select pm_group_id from pm_group_patches where patch_id = ${patchId})`
  const sources = await listReachedSources(db, computerId, [{ kind: 'pmGroup', isSubject }])
  const ruling = await findRuling(db, computerId, patchId)
  const state = await findState(db, computerId, await getPatchState(db, computerId, patchId), {
    ruling,
    isAssigned: sources.length > 0 || (ruling?.policyId ?? null) !== null,
  })
  return {
    subject: { kind: 'Patch', id: String(patchId), name: patch.name, version: null },
    message: [formatPatchVerdict(state, ruling), await findRollbackText(db, computerId, patchId)]
      .filter(Boolean)
      .join(' '),
    ...(ruling && { ruling: toRulingAnswer(ruling) }),
    value: null,
    sources: sources.map(({ isSubject, ...source }) => source),
    options: null,
    failure: null,
    cancellation: null,
    otherVersions: [],
    rollouts: [],
    notices: await listNotices(db, computerId),
    ...state,
  }
}

/** The verdict as a sentence; for a released patch that is not installed yet, followed by what released it. */
export function formatPatchVerdict(
  { verdict, blockers }: Pick<FoundState, 'verdict' | 'blockers'>,
  ruling: ComputerRuling | undefined,
): string {
  const sentence = formatVerdict(verdict, blockers)
  return ruling?.state === 'Released' ? `${sentence} ${formatRuling(ruling)}` : sentence
}

type FoundState = Pick<Explanation, 'verdict' | 'blockers' | 'earliestRun' | 'work'>

async function findState(
  db: Database,
  computerId: number,
  patch: PatchState,
  { ruling, isAssigned }: { ruling: ComputerRuling | undefined; isAssigned: boolean },
): Promise<FoundState> {
  const settled = (verdict: FoundState['verdict'], blockers: FoundState['blockers'] = []) => ({
    verdict,
    blockers,
    earliestRun: null,
    work: null,
  })
  if (!patch.has_scan)
    return settled('Waiting', [newBlocker('NoScan', 'The computer has not reported a patch scan of its system yet.')])
  if (patch.is_reported && !patch.is_missing) return settled('Installed')
  if (!patch.is_reported) return settled('NothingToDo')
  if (!isAssigned)
    return settled('NotAssigned', [
      newBlocker(
        'NotAssigned',
        'No patch management group of the computer contains the patch, and no rule of its patch policies matches it.',
      ),
    ])
  if (!patch.is_released) return settled('Waiting', [toReleaseBlocker(ruling)])
  return explainFixes(db, computerId)
}

/** What becomes of the released patches that a computer lacks: one fix package installs them all. */
export async function explainFixes(db: Database, computerId: number): Promise<FoundState> {
  const fix = (await listWaitingWork(db, await getAgentFacts(db, computerId))).find(
    ({ package_kind }) => package_kind === 'PatchFix',
  )
  if (!fix)
    return { verdict: 'Waiting', blockers: [await findFixBlocker(db, computerId)], earliestRun: null, work: null }
  const { verdict, blockers, earliestRun } = toWorkState(fix)
  return { verdict, blockers, earliestRun, work: await toExplainedWork(db, fix) }
}

/** What keeps a missing patch from being released. */
function toReleaseBlocker(ruling: ComputerRuling | undefined) {
  if (ruling && ruling.policyId !== null)
    return {
      ...newBlocker('NotApproved', formatRuling(ruling)),
      untilUtc: ruling.state === 'Waiting' ? ruling.approvedUtc : null,
    }
  return newBlocker('NotApproved', 'The patch is not approved for the product.')
}

/** Of the products for which the computer lacks the patch, what decides about the one that is closest to being released. */
async function findRuling(db: Database, computerId: number, patchId: number): Promise<ComputerRuling | undefined> {
  const { rows } = await sql<ComputerRuling>`
    select * from (${computerRulings(computerId)}) as ruling where "patchId" = ${patchId}
    order by array_position(${[...releaseStates]}::text[], state), "approvedUtc", "productId" limit 1`.execute(db)
  return rows[0]
}

async function findFixBlocker(db: Database, computerId: number) {
  const reason = await findFixWaitReason(db, computerId)
  return reason === null
    ? newBlocker('NoFixPackage', 'No fix package is assigned to the computer and activated.')
    : newBlocker('NoFixWork', reason)
}

async function getPatchState(db: Database, computerId: number, patchId: number): Promise<PatchState> {
  const computer: RawBuilder<{ owner_id: number }> = sql`select ${computerId}::integer as owner_id`
  const { rows } = await sql<PatchState>`
    select exists (
        select from patch_scans scan join computers on computers.id = scan.computer_id
        where scan.computer_id = ${computerId} and not ${isScanOfPreviousSystem('scan', 'computers')}) as has_scan,
      count(*) > 0 as is_reported, coalesce(bool_or(is_missing), false) as is_missing,
      exists (
        select from (${releasedMissingPatches(computer)}) as released where released.patch_id = ${patchId}) as is_released
    from computer_patches where computer_id = ${computerId} and patch_id = ${patchId}`.execute(db)
  const [state] = rows
  if (!state) throw new Error('An aggregate without a group by returns one row.')
  return state
}
