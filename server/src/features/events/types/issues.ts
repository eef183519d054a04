import { coveredComputers, data, name } from '../data-schemas.ts'
import { numberOfRows, one, pathOf, source } from '../event-source.ts'
import { eventType } from '../event-type.ts'

/** The sweeps have one operation each, with the name of the issue as the last part of its path. */
const sweep = { ...pathOf('listIssueOverview'), last: { kind: 'beside', value: 'issue' } } as const

const finding = (on: 'insert' | 'delete') =>
  source({
    table: 'issue_findings',
    on,
    join: { computers: 'computer_id' },
    // A finding may outlive its computer.
    hasForeignKeys: false,
    subject: pathOf('getComputer', 'computer_id'),
    computer: 'computer_id',
    data: { issue: 'issue', computers: one, computerId: 'computer_id', computerName: 'computers.name' },
    many: {
      groupBy: ['issue'],
      subject: sweep,
      data: { issue: 'issue', computers: numberOfRows, list: sweep },
    },
  })

export const issueEvents = (['appeared', 'cleared'] as const).map((action) =>
  eventType({
    type: `muster.issue.${action}`,
    summary: action === 'appeared' ? 'A computer has an issue' : 'A computer no longer has an issue',
    role: 'computer.read',
    subject: 'The computer, or the sweep of the issue if the event covers many computers',
    data: data(action === 'appeared' ? 'IssueAppeared' : 'IssueCleared', {
      ...coveredComputers,
      issue: name('low-disk', 'Name of the issue, as in the sweeps'),
    }),
    sources: [finding(action === 'appeared' ? 'insert' : 'delete')],
  }),
)
