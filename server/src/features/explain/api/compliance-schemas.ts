import { closed, enumOf, Instant, Int32, nullable, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { ComputerPatchRuling } from '../../patches/api/ruling-schemas.ts'
import { DateOnly } from '../../patches/api/schemas.ts'
import { PatchSla } from '../../patches/api/sla-schemas.ts'
import { complianceStates } from '../overdue-patches.ts'
import { ExplainedBlocker, Verdict } from './schemas.ts'

const days = (description: string, example: number) =>
  nullable({ ...Int32, minimum: 0, examples: [example], description })

const count = (description: string) => ({ ...Int32, minimum: 0, examples: [3], description })

export const MeasuredPatch = closed(
  {
    ...ComputerPatchRuling.properties,
    slaDays: days('Days after its release within which it has to be installed; null: no SLA', 7),
    dueOn: nullable({ ...DateOnly, description: 'The last day within the SLA; null without one' }),
    daysOverdue: days('Days since then; 0 until then, null without an SLA', 4),
    lockedBy: nullable(text(500, 'apt-mark hold', 'The lock because of which it is not installed there')),
    verdict: nullable(Verdict),
    blockers: Type.Array(ExplainedBlocker, {
      description: 'Of a released patch, what keeps its installation from the computer now',
    }),
    message: text(
      2_000,
      'The agent gets it at its next contact.',
      'Why it is still missing. `verdict` is null if it is not released',
    ),
  },
  { title: 'MeasuredPatch' },
)

export const ComputerPatchCompliance = closed(
  {
    ...pagedResultOf(MeasuredPatch).properties,
    state: enumOf(complianceStates, {
      title: 'PatchComplianceState',
      description: 'NotScanned: no patch scan of its present system. Overdue: it lacks a patch beyond its SLA',
    }),
    scannedUtc: nullable({ ...Instant, description: 'The last patch scan' }),
    missingPatches: count('Patches that it lacks'),
    overduePatches: count('Of these, those beyond their SLA'),
    sla: PatchSla,
  },
  { title: 'ComputerPatchCompliance' },
)
