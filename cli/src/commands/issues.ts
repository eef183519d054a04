import { answerOf, type components } from '@muster/client'
import { command } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import type { Column } from '../output/output.ts'
import { ageOf } from '../output/times.ts'
import { issueNames } from './computer-filters.ts'
import { limited, parseLimit } from './lists.ts'

type IssueName = components['schemas']['IssueName']
type IssueCount = components['schemas']['IssueCount']
type Affected = components['schemas']['IssueComputer']

const countColumns: readonly Column<IssueCount>[] = [
  ['issue', ({ issue }) => issue],
  ['computers', ({ count }) => count],
]

const computerColumns: readonly Column<Affected>[] = [
  ['computer', ({ hostname }) => hostname],
  ['domain', ({ domain }) => domain],
  ['seen', ({ lastSeenUtc }) => ageOf(lastSeenUtc)],
  ['detail', ({ detail }) => detail],
]

export const issues = command({
  name: 'issues',
  summary: 'Count the issues of the fleet, or list the computers with one',
  arguments: [['[issue]', 'Name of the issue, such as low-disk', issueNames]],
  options: [['--limit <count>', 'List at most this many computers']],
  examples: [
    ['muster issues', 'How many computers have which issue'],
    ['muster issues low-disk -o csv', 'The computers with nearly full drives'],
  ],
  operations: ['getFleetStatistics', 'listIssueComputers'],
  async run({ args, client, options, output }) {
    const [issue] = args
    if (issue !== undefined) {
      const path = { issue: issue as IssueName }
      const list = client.pages('/api/fleet/issues/{issue}/computers', { path, query: { top: 1_000 } })
      return output.rows(computerColumns, limited(list, parseLimit(options.limit)))
    }
    const { counts } = await answerOf(client.GET('/api/computer/statistics'))
    if (!counts) throw new CommandFailure('The issues have not been counted yet. Try again in a minute.')
    return output.rows(countColumns, counts.issues)
  },
})
