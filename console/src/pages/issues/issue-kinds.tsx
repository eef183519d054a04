import { Alert, Anchor, Progress, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { components } from '../../api/types.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useFormat } from '../../texts/format.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import classes from './issues.module.css'

type Counts = NonNullable<components['schemas']['FleetStatistics']['counts']>
type IssueCount = Counts['issues'][number]

type IssueKindsProps = { counts: Counts | null | undefined; isCounting: boolean }

/** Every kind of issue with its number of computers, the most frequent first. */
export function IssueKinds({ counts, isCounting }: IssueKindsProps) {
  const { issues } = useTexts()
  const columns = useColumns(counts?.computers ?? 0)
  if (isCounting) return <Alert>{issues.counting}</Alert>
  const rows = counts && [...counts.issues].sort((a, b) => b.count - a.count)
  return (
    <DataTable
      caption={issues.title}
      columns={columns}
      rows={rows ?? undefined}
      rowKey={({ issue }) => issue}
      error={undefined}
      onRetry={() => undefined}
      empty={{ title: issues.noIssues, text: issues.emptyText }}
    />
  )
}

function useColumns(computers: number): Column<IssueCount>[] {
  const { issues } = useTexts()
  const format = useFormat()
  const { columns } = issues
  const nameOf = (issue: string) => textFor(issues.kinds, issue) ?? issue
  return [
    {
      id: 'issue',
      title: columns.issue,
      cell: ({ issue }) => (
        <div>
          <Anchor component={Link} to={`/issues/${issue}`} size="sm" fw={600}>
            {nameOf(issue)}
          </Anchor>
          <Text size="xs" c="dimmed">
            {textFor(issues.explanations, issue)}
          </Text>
        </div>
      ),
    },
    {
      id: 'count',
      title: columns.count,
      width: 120,
      cell: ({ issue, count }) => (
        <Anchor component={Link} to={`/computers?issue=${issue}`} className={classes.count ?? ''}>
          {format.number(count)}
        </Anchor>
      ),
    },
    {
      id: 'share',
      title: columns.share,
      width: 260,
      cell: ({ issue, count }) => {
        const share = computers === 0 ? 0 : count / computers
        return (
          <div>
            <Progress.Root size="md" role="img" aria-label={issues.shareOf(nameOf(issue), format.percent(share))}>
              <Progress.Section value={share * 100} color={count > 0 ? 'orange' : 'gray'} aria-hidden />
            </Progress.Root>
            <Text size="xs" c="dimmed" mt={4}>
              {format.percent(share)}
            </Text>
          </div>
        )
      },
    },
  ]
}
