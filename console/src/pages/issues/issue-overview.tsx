import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { DataAge } from '../../components/data-age.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { Section } from '../../components/section.tsx'
import { useLive } from '../../live/use-live.ts'
import { useTexts } from '../../texts/texts.tsx'
import { FailureCauses } from '../package/failure-causes.tsx'
import { IssueKinds } from './issue-kinds.tsx'
import { issuePageQuery, statisticsQuery } from './issue-queries.ts'

const shownFailures = 8

/** How many computers have which issue, and the failures that many of them share. */
export function IssueOverview() {
  const { issues } = useTexts()
  const statistics = useQuery(statisticsQuery)
  const failed = useQuery(issuePageQuery('failed-deployment'))
  useLive({ types: ['muster.deployment.*'], refreshes: [['issue', 'failed-deployment'], ['package']] })
  const counts = statistics.data?.counts
  const countedAt = statistics.data?.calculatedAtUtc
  return (
    <Page
      title={issues.title}
      intro={
        <Group gap="sm">
          {issues.intro}
          {countedAt && <DataAge atUtc={countedAt} />}
        </Group>
      }
      actions={<RefreshButton {...statistics} />}
    >
      {!statistics.data && statistics.error ? (
        <ProblemView error={statistics.error} onRetry={statistics.refetch} />
      ) : (
        <IssueKinds counts={counts} isCounting={statistics.data !== undefined && !counts} />
      )}
      <Section
        title={issues.failures}
        actions={
          <Anchor component={Link} to="/issues/failed-deployment" size="sm">
            {issues.allFailures}
          </Anchor>
        }
      >
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {issues.failuresHint}
          </Text>
          {!failed.data && failed.error && <ProblemView error={failed.error} onRetry={failed.refetch} />}
          {!failed.data && !failed.error && <Loading height={120} />}
          {failed.data && (
            <FailureCauses
              causes={failed.data.failures.slice(0, shownFailures)}
              empty={issues.noFailures}
              withPackage
            />
          )}
        </Stack>
      </Section>
    </Page>
  )
}
