import { closed, enumOf, Id, Instant, Int32, nullable, Type, text } from '../../../platform/schema.ts'
import { PatchSeveritySchema } from '../../patches/api/ruling-schemas.ts'
import { patchProgressStates } from '../progress.ts'

const count = (description: string, example: number) => ({ ...Int32, minimum: 0, examples: [example], description })

export const PatchOfPolicyPath = closed({ id: Id, patchId: { ...Id, description: 'Id of the patch' } })

export const PatchOfPolicyScope = closed({
  productId: Type.Optional({ ...Int32, examples: [3], description: 'Only for this product version; all by default' }),
})

export const PatchProgressStateName = enumOf(patchProgressStates, {
  title: 'PatchProgressState',
  description:
    'Waiting: no ring is open yet. Open: a ring is open. Paused: no further computer begins until it is resumed. Stopped: the policy ' +
    'does not release it. Completed: the last ring has met its gate',
})

export const PatchProgress = closed(
  {
    patchId: Id,
    patchName: Type.String({ examples: ['openssl 3.0.16-1~deb12u1'] }),
    productId: Id,
    productName: Type.String({ examples: ['Debian GNU/Linux 12'] }),
    severity: PatchSeveritySchema,
    state: PatchProgressStateName,
    openRing: count('The last ring that is open; 0: none', 1),
    openedAtUtc: nullable({ ...Instant, description: 'When that ring opened' }),
    completedAtUtc: nullable({ ...Instant, description: 'When the last ring met its gate' }),
    pausedAtUtc: nullable(Instant),
    pausedBy: nullable(text(255, 'client-5b1f0e2a9c', 'Who paused it; null: the service, or it is not paused')),
    stoppedAtUtc: nullable(Instant),
    stoppedBy: nullable(text(255, 'client-5b1f0e2a9c', 'Who stopped it')),
    isApprovedByPerson: Type.Boolean({
      examples: [false],
      description: 'Whether a person approved the patch for the product, which releases it to all rings',
    }),
    rings: Type.Array(
      closed(
        {
          ring: { ...Int32, minimum: 1, examples: [1], description: 'Number of the ring, from 1' },
          name: Type.String({ examples: ['Pilot'] }),
          installed: count('Computers that have the patch, as their last scan reports', 31),
          lacking: count('Computers that lack it', 19),
          failed: count('Those of them whose fix package failed since the ring opened', 1),
          away: count('Those of them that were not seen since then, and longer than a day: they do not count', 4),
        },
        { title: 'PatchProgressRing' },
      ),
      { description: 'The rings of the policy, with the computers that they had at the last count' },
    ),
    rollback: nullable(
      closed(
        {
          waiting: count('Computers that still have to roll it back', 12),
          rolledBack: count('Computers that have rolled it back', 240),
          notRolledBack: count('Computers that cannot, or whose agent or fix package does not know how', 3),
        },
        { title: 'PatchRollbackCounts', description: 'Null unless the patch was stopped with `rollBack`' },
      ),
    ),
    message: text(2_000, 'Ring 2 (Early) opens once ring 1 has installed it on 80 % (now 62 % of 50 computers).'),
  },
  { title: 'PatchProgress' },
)

export const PatchProgressList = closed(
  { items: Type.Array(PatchProgress, { description: 'The patch for each product version' }) },
  { title: 'PatchProgressList' },
)

export const PatchReasonRequest = closed(
  { reason: Type.Optional(nullable(text(500, 'The vendor reports a problem', 'Why'))) },
  { title: 'PatchReasonRequest' },
)

export const StopPatchRequest = closed(
  {
    ...PatchReasonRequest.properties,
    rollBack: Type.Optional(
      Type.Boolean({
        examples: [false],
        description:
          'Whether computers of the policy that have the patch roll it back, where their package manager can; false by default. The computers that ' +
          'have it count as a mass action. Also for a patch that was stopped without it',
      }),
    ),
  },
  { title: 'StopPatchRequest' },
)
