import { closed, enumOf, Id, Instant, Int32, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { patchSeverities } from '../patch-severities.ts'
import { releaseStates } from '../policies/computer-rulings.ts'
import { DateOnly } from './schemas.ts'

export const PatchSeveritySchema = enumOf(patchSeverities, { title: 'PatchSeverity' })

export const ComputerPatchRuling = closed(
  {
    patchId: Id,
    patchName: Type.String({ examples: ['openssl 3.0.16-1~deb12u1'] }),
    productId: Id,
    productName: Type.String({ examples: ['Debian GNU/Linux 12'] }),
    severity: PatchSeveritySchema,
    releaseDate: nullable(DateOnly),
    isConfirmed: Type.Boolean({ examples: [true], description: 'Whether a catalog or an advisory names the patch' }),
    state: enumOf(releaseStates, {
      title: 'PatchReleaseState',
      description:
        'ReleasedByGroup: a patch management group releases it. Released: a patch policy does. Waiting: a rule approves it later. ' +
        'WaitingForRing: the ring of the computer is not open yet. Paused: failures or a person have paused it. NeedsReview: a rule ' +
        'waits for a person. Stopped: a person has stopped it. Declined: a rule declines it. Undecided: nothing of the computer decides about it',
    }),
    policyId: nullable(Id),
    policyName: nullable(text(255, 'Workstations', 'The patch policy that decides')),
    ruleNumber: nullable({
      ...Int32,
      minimum: 1,
      examples: [2],
      description: 'Place of the rule in the policy, from 1',
    }),
    ruleName: nullable(text(100, 'Critical after 2 days')),
    groupId: nullable({ ...Uuid, description: 'The group that assigns the policy' }),
    groupPath: nullable(
      Type.String({ examples: ['Configuration/Berlin/Workstations'], description: 'Path of that group' }),
    ),
    approvedUtc: nullable({ ...Instant, description: 'When the rule approved it, or approves it' }),
    isApprovedByPerson: Type.Boolean({
      examples: [false],
      description: 'Whether a person approved what the rule leaves to a person or approves later',
    }),
    pmGroupName: nullable(text(255, 'Servers, critical', 'The patch management group that releases it')),
    ring: nullable({
      ...Int32,
      minimum: 1,
      examples: [2],
      description: 'The ring of the computer, if the policy has rings',
    }),
    ringName: nullable(text(100, 'Early')),
    openRing: nullable({ ...Int32, minimum: 0, examples: [1], description: 'The last ring that is open; 0: none' }),
    message: text(
      2_000,
      'The rule "Critical after 2 days" of the patch policy Workstations approved it on 2026-11-14.',
    ),
  },
  { title: 'ComputerPatchRuling' },
)
