import { leaseSeconds } from '../../features/deployments/lease.ts'
import { recordProgress } from '../../features/deployments/reports/record-progress.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Type, text } from '../../platform/schema.ts'
import { workNotLeased } from './problems.ts'
import { Attempt, LeaseSeconds, WorkPath } from './schemas.ts'

export const reportProgress = operation({
  id: 'reportProgress',
  route: 'POST /agent/v1/work/:workId/progress',
  summary: 'Report the progress of a work item',
  description:
    'Renews the lease. When the work item has been cancelled, the answer sets `cancelled` and the agent must stop. Answers 409 when the attempt is not leased to the agent.',
  role: 'machine',
  execution: { kind: 'SharedReport' },
  bodyLimit: 16_384,
  params: WorkPath,
  body: closed(
    {
      attempt: Attempt,
      percent: Type.Integer({ minimum: 0, maximum: 100, examples: [40], description: 'How much is done' }),
      message: text(1000, 'Unpacking', 'What the agent is doing, for people; not stored'),
    },
    { title: 'WorkProgress' },
  ),
  returns: ok(
    closed(
      {
        leaseSeconds: LeaseSeconds,
        cancelled: Type.Boolean({ examples: [false], description: 'The agent must stop' }),
      },
      { title: 'WorkProgressAnswer' },
    ),
  ),
  problems: [workNotLeased],
  async handle({ params: { workId }, body: { attempt, percent }, db, machine: { clientId } }) {
    const outcome = (await recordProgress(db, clientId, [{ workId, attempt, percent }])).get(workId)
    if (outcome === 'Cancelled') return { leaseSeconds: 0, cancelled: true }
    if (outcome !== 'Leased') throw workNotLeased({ workId })
    return { leaseSeconds, cancelled: false }
  },
})
