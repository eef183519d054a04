import { closed, enumOf, Id, nullable, Type, text } from '../../../platform/schema.ts'
import { IssueNameSchema, IssueOverviewItem } from '../../issues/api/schemas.ts'
import { causeKinds } from '../../issues/issue.ts'
import { FailureCause } from './package-schemas.ts'
import { countSchema } from './schemas.ts'

export const IssuePath = closed({ issue: IssueNameSchema })

export const IssueCauseId = text(255, 'C:', 'Id of a cause; of a failed deployment, that of its failure')

const IssueCause = closed(
  {
    causeId: IssueCauseId,
    name: nullable(text(2_000, 'Windows 11 24H2', 'What the computers have in common; null if it is unknown')),
    count: countSchema('Number of computers'),
    exampleClientId: { ...Id, description: 'One of these computers' },
    exampleHostname: Type.String({ examples: ['pc-0017'], description: 'Its name' }),
  },
  { title: 'IssueCause' },
)

export const IssuePage = closed(
  {
    issue: IssueNameSchema,
    computers: countSchema('Number of computers with the issue now, by the default thresholds of its sweep'),
    causeKind: enumOf(causeKinds, { title: 'IssueCauseKind', description: 'What the causes are' }),
    causes: Type.Array(IssueCause, {
      description: 'What the computers have in common: the most frequent first, at most 50',
    }),
    failures: Type.Array(FailureCause, {
      description:
        'For failed-deployment: failures by package, exit code and output, the most frequent first, at most 50. Of more ' +
        'than 5,000 failures, the latest 5,000 count. Empty for other issues.',
    }),
  },
  { title: 'IssuePage' },
)

const { id, hostname, domain, lastSeenUtc } = IssueOverviewItem.properties

export const IssueComputer = closed(
  { id, hostname, domain, lastSeenUtc, detail: Type.String({ examples: ['C: 11.3 GB free'] }) },
  { title: 'IssueComputer' },
)
