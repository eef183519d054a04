import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { hasOnlyPreviousScan } from '../patches/missing-patches.ts'
import { dueDayOfPatch, getSla, slaDaysOfPatch, todayInUtc } from '../patches/patch-sla.ts'
import { type ComputerRuling, computerRulings, formatRuling } from '../patches/policies/computer-rulings.ts'
import { explainFixes, formatPatchVerdict } from './explain-patch.ts'

export const complianceStates = ['NotScanned', 'WithinSla', 'Overdue'] as const

/** A missing patch of a computer with its SLA. */
export type MeasuredRow = ComputerRuling & {
  slaDays: number | null
  dueOn: string | null
  /** Zero until the SLA is exceeded; null without one. */
  daysOverdue: number | null
  lockedBy: string | null
  /** The order of the list: what is overdue for the most days, then what is due next, then what has no SLA. */
  dueRank: number
}

/** The missing patches of a computer, each with what decides about it and with its SLA. */
export function measuredPatches(db: Database, computerId: number) {
  const rows = sql<MeasuredRow>`(
    select ruling.*, ${slaDaysOfPatch} as "slaDays", ${dueDayOfPatch}::text as "dueOn",
      case when ${slaDaysOfPatch} is not null then greatest(${todayInUtc} - ${dueDayOfPatch}, 0) end as "daysOverdue", scanned.locked_by as "lockedBy",
      coalesce(${todayInUtc} - ${dueDayOfPatch}, -100000) as "dueRank"
    from (${computerRulings(computerId)}) as ruling
      join patches on patches.id = ruling."patchId"
      join computer_patches scanned on scanned.computer_id = ${computerId} and scanned.patch_id = ruling."patchId"
        and scanned.product_id = ruling."productId"
      cross join installation)`
  return db.selectFrom(rows.as('measured')).selectAll()
}

type Summary = { scannedUtc: Date | null; missingPatches: number; overduePatches: number }

/** Whether a computer is within the SLA. What the system before lacked says nothing about the present one. */
export async function summariseCompliance(db: Database, computerId: number) {
  const { rows } = await sql<Summary>`
    select max(scan.scanned_at) as "scannedUtc", count(measured."patchId")::integer as "missingPatches",
      (count(*) filter (where measured."daysOverdue" > 0))::integer as "overduePatches"
    from patch_scans scan left join (${measuredPatches(db, computerId)}) as measured on true
    where scan.computer_id = ${computerId} and not ${hasOnlyPreviousScan('scan.computer_id')}`.execute(db)
  const { scannedUtc, missingPatches, overduePatches } = rows[0] ?? {
    scannedUtc: null,
    missingPatches: 0,
    overduePatches: 0,
  }
  const scannedState = overduePatches > 0 ? 'Overdue' : 'WithinSla'
  return {
    state: scannedUtc === null ? 'NotScanned' : scannedState,
    scannedUtc,
    missingPatches,
    overduePatches,
    sla: await getSla(db),
  } as const
}

/** Says of each patch why it is still missing. Of released ones, this depends on the fix package, which is looked up once. */
export async function explainMeasured(db: Database, computerId: number, patches: readonly MeasuredRow[]) {
  const isReleased = ({ state }: ComputerRuling) => state === 'Released' || state === 'ReleasedByGroup'
  const fixes = patches.some(isReleased) ? await explainFixes(db, computerId) : undefined
  return patches.map((measured) => {
    const { dueRank: _rank, rings: _rings, progress: _progress, ...patch } = measured
    const lock = patch.lockedBy === null ? '' : ` It is locked on the computer: ${patch.lockedBy}.`
    if (!fixes || !isReleased(measured))
      return { ...patch, verdict: null, blockers: [], message: formatRuling(measured) + lock }
    const { verdict, blockers } = fixes
    return { ...patch, verdict, blockers, message: formatPatchVerdict(fixes, measured) + lock }
  })
}
