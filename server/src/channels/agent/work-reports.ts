import { TrialReport } from '../../features/deployments/trials/trial-report-schemas.ts'
import { closed, enumOf, Instant, nullable, Type, text } from '../../platform/schema.ts'
import { Attempt, WorkChoices, WorkId } from './schemas.ts'

const resultProperties = {
  attempt: Attempt,
  status: enumOf(['Success', 'Failed'], { description: 'How the work ended' }),
  installationState: nullable(
    enumOf(['Installed', 'NotInstalled', 'Uninstalled'], {
      description: 'State of the software after the work; null when unknown',
    }),
  ),
  exitCode: nullable(
    Type.Integer({
      minimum: -(2 ** 31),
      maximum: 2 ** 32 - 1,
      examples: [0],
      description: 'Exit code of the last command; null when none ran',
    }),
  ),
  startedUtc: { ...Instant, description: 'When the agent started the work' },
  finishedUtc: { ...Instant, description: 'When the work ended' },
  commandLine: nullable(text(8000, 'sh install.sh', 'The last command that ran')),
  output: text(65_536, 'Done.', 'The end of the output of the command'),
  errorText: nullable(text(4000, 'There is no space left on the disk.', 'Why the work failed, for people')),
  rebootRequired: Type.Boolean({ examples: [false], description: 'The computer needs a reboot' }),
  workChoices: WorkChoices,
}

/** A trial is reported by `reportResult`: two outputs are too long for a contact. */
export const WorkResult = closed({ ...resultProperties, trial: Type.Optional(TrialReport) }, { title: 'WorkResult' })

/** As many as are leased at once. */
const maxReportedItems = 20

/** A longer output is reported by `reportResult` so that contacts stay small. */
const maxOutputInContact = 4_096

export const ContactResults = Type.Array(
  closed(
    {
      workId: WorkId,
      ...resultProperties,
      output: text(
        maxOutputInContact,
        'Done.',
        'The end of the output of the command; report longer ones by reportResult',
      ),
    },
    { title: 'ContactWorkResult' },
  ),
  {
    maxItems: maxReportedItems,
    description: 'Results of work items, instead of one request each. They are recorded before work is handed out.',
  },
)

export const ContactProgress = Type.Array(
  closed(
    {
      workId: WorkId,
      attempt: Attempt,
      percent: nullable(
        Type.Integer({
          minimum: 0,
          maximum: 100,
          examples: [40],
          description: 'How much is done; null when the agent has not begun',
        }),
      ),
    },
    { title: 'ContactWorkProgress' },
  ),
  {
    maxItems: 2 * maxReportedItems,
    description: 'Work items that the agent has. Renews their leases; the answer names those that it must drop.',
  },
)

export const ResultReceipts = Type.Array(
  closed(
    {
      workId: WorkId,
      outcome: enumOf(['Accepted', 'Ignored', 'Unknown'], {
        description:
          'Ignored: the report was repeated or outdated and changed nothing. Unknown: the agent never had the work item.',
      }),
    },
    { title: 'ContactResultReceipt' },
  ),
  { description: 'The reported results that are recorded. The agent reports all others again.' },
)

export const WithdrawnWork = Type.Array(WorkId, {
  description: 'Work items of `inProgress` that were cancelled or are no longer leased to the agent: it must drop them',
})
