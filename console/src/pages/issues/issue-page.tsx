import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { IconInfoCircle } from '../../components/icons.ts'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { Section } from '../../components/section.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useLive } from '../../live/use-live.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import { FailureCauses } from '../package/failure-causes.tsx'
import { IssueCauses } from './issue-causes.tsx'
import { IssueComputers } from './issue-computers.tsx'
import { type IssueName, type IssuePageData, isKnownCause, issuePageQuery } from './issue-queries.ts'

/** One issue: what the computers have in common, which computers these are, and what helps. */
export function IssuePage({ kind }: { kind: string }) {
  const { issues } = useTexts()
  const issue = kind as IssueName
  const found = useQuery(issuePageQuery(issue))
  const { cause } = useFilters(['cause']).values
  useLive({
    types: ['muster.deployment.*', 'muster.computer.*', 'muster.patch.*'],
    refreshes: [['issue', issue], ['package']],
  })
  return (
    <Page
      title={textFor(issues.kinds, kind) ?? kind}
      intro={
        <Group gap="xs">
          <Anchor component={Link} to="/issues" size="sm">
            {issues.all}
          </Anchor>
          <span>{textFor(issues.explanations, kind)}</span>
        </Group>
      }
      actions={
        <>
          <RefreshButton {...found} />
          <Button
            component={Link}
            to={computersAddress(kind, found.data?.causeKind === 'Group' ? cause : '')}
            variant="default"
          >
            {issues.openComputers}
          </Button>
        </>
      }
    >
      {!found.data && found.error && <ProblemView error={found.error} onRetry={found.refetch} />}
      {!found.data && !found.error && <Loading height={240} />}
      {found.data && <Content page={found.data} />}
    </Page>
  )
}

/** The list of computers with the issue, where they can be selected, or only those of a group. */
function computersAddress(issue: string, groupId: string): string {
  return `/computers?${new URLSearchParams({ issue, ...(isKnownCause(groupId) && { groupId }) })}`
}

function Content({ page }: { page: IssuePageData }) {
  const { issues } = useTexts()
  const isFailure = page.issue === 'failed-deployment'
  return (
    <Stack>
      <Text fz={20} fw={600} lh={1.2}>
        {issues.affected(page.computers)}
      </Text>
      {page.computers > 0 && (
        <Alert icon={<IconInfoCircle aria-hidden />} title={issues.helps}>
          {textFor(issues.actions, page.issue)}
        </Alert>
      )}
      {isFailure ? (
        <Section title={issues.failures}>
          <FailureCauses causes={page.failures} empty={issues.noFailures} withPackage />
        </Section>
      ) : (
        <>
          <IssueCauses page={page} />
          {page.computers > 0 && <IssueComputers page={page} />}
        </>
      )}
    </Stack>
  )
}
