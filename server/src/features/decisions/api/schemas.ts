import { closed, enumOf, Instant, Int32, nullable, Type } from '../../../platform/schema.ts'
import { storedDecisionKinds } from '../decision-kinds.ts'
import { maxNamed } from '../list-waiting.ts'

const text = (example: string, description: string) => Type.String({ examples: [example], description })

const WaitingItem = closed(
  {
    id: text('3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'Id of the rollout, agent, approval, package and so on'),
    name: text('PDF viewer 24.2', 'Its name; of an approval, the operation'),
    detail: nullable(
      text(
        'Failures',
        'PausedRollout: the code of its pause. QuarantinedAgent: its address. Approval: the principal. PackageRequest: the computer. ' +
          'FailingPackage: the number of computers. ExpiringSecret: the client id. StoppedWebhook: why it was stopped',
      ),
    ),
    atUtc: nullable({
      ...Instant,
      description: 'Since when it waits; of a secret or a certificate, when it ends. Null if that is not known',
    }),
  },
  { title: 'WaitingItem' },
)

const Decision = closed(
  {
    kind: enumOf([...storedDecisionKinds, 'ExpiringCertificate'], { title: 'DecisionKind' }),
    count: { ...Int32, minimum: 1, examples: [2], description: 'How many wait' },
    items: Type.Array(WaitingItem, { description: `The first of them, at most ${maxNamed}` }),
  },
  { title: 'Decision' },
)

export const Decisions = closed(
  {
    decisions: Type.Array(Decision, {
      description: 'By kind, the most urgent first. Kinds of which nothing waits are left out',
    }),
  },
  { title: 'Decisions' },
)
