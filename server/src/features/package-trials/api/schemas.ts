import { closed, enumOf, Id, Instant, Int32, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { TrialReport } from '../../deployments/trials/trial-report-schemas.ts'
import { trialCancelReasons, trialStates } from '../trial-rows.ts'

export const PackageTrialPath = closed({ id: Uuid })

const maxExpiryMinutes = 7 * 24 * 60

export const PackageTrialRequest = closed(
  {
    computerId: { ...Id, description: 'The computer on which the package is installed and uninstalled again' },
    expiresInMinutes: Type.Optional(
      Type.Integer({
        minimum: 5,
        maximum: maxExpiryMinutes,
        examples: [60],
        description: 'If the computer has not begun the trial by then, the trial is cancelled. Default: a day',
      }),
    ),
  },
  { title: 'PackageTrialRequest' },
)

const summary = {
  trialId: Uuid,
  packageId: Uuid,
  packageName: text(255, 'Greeting', 'Name of the package'),
  packageVersion: nullable(text(100, '1.2.0', 'Version of the package')),
  computerId: nullable({ ...Id, description: 'The computer; null if it was deleted' }),
  hostname: text(255, 'PC-0017', 'Name of the computer'),
  state: enumOf(trialStates, {
    title: 'PackageTrialState',
    description: 'Waiting: the agent has not begun. Running: the agent has the trial',
  }),
  progress: nullable({ ...Int32, minimum: 0, maximum: 100, examples: [50], description: 'Percent, while it runs' }),
  trackingId: { ...Uuid, description: 'The task of the trial' },
  startedAtUtc: { ...Instant, description: 'When the trial was requested' },
  startedBy: text(255, 'client-77c0d2e41a', 'Name of the principal that requested it'),
  expiresAtUtc: { ...Instant, description: 'When it is cancelled unless the computer has begun' },
  finishedAtUtc: nullable({ ...Instant, description: 'When it ended' }),
  cancelReason: nullable(
    enumOf(trialCancelReasons, { title: 'TrialCancelReason', description: 'Why the service has cancelled it' }),
  ),
  errorText: nullable(text(4000, 'The command exited with code 1.', 'Why it failed')),
  leftoverCount: nullable({ ...Int32, minimum: 0, examples: [0], description: 'How many leftovers there are' }),
  isCurrentContent: Type.Boolean({
    examples: [true],
    description: 'False if the package got other content after the trial',
  }),
}

export const PackageTrialSummary = closed(summary, { title: 'PackageTrialSummary' })

const TrialBlocker = closed(
  {
    reason: text(50, 'AgentSuspended', 'The reason, as explainComputer names it'),
    untilUtc: nullable({ ...Instant, description: 'When it ends by itself; null if somebody has to do something' }),
    message: text(1000, 'The agent is suspended, and a suspended agent gets no work.', 'The reason as a sentence'),
  },
  { title: 'PackageTrialBlocker' },
)

export const PackageTrial = closed(
  {
    ...summary,
    steps: TrialReport.properties.steps,
    leftovers: TrialReport.properties.leftovers,
    leftoversComplete: TrialReport.properties.leftoversComplete,
    blockers: Type.Array(TrialBlocker, {
      description: 'Why a trial waits. Without a reason, the next contact of the agent begins it.',
    }),
  },
  { title: 'PackageTrial' },
)
