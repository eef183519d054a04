import { EmptyState, Paper, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answerOf, api, type Schemas } from '../../../api/client.ts'
import { Section } from '../../../components/section.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { IssueDetails } from './issue-details.tsx'
import { TabContent } from './tab-content.tsx'

/** What is wrong with the computer, with all that is known about it. */
export function IssuesTab({ id }: { id: number }) {
  const query = useQuery({
    queryKey: [...computerKey(id), 'issues'],
    queryFn: () => answerOf(api.GET('/api/computer/{id}/issues', { params: { path: { id } } })),
  })
  return <TabContent query={query}>{(issues) => <Issues issues={issues} />}</TabContent>
}

function Issues({ issues }: { issues: Schemas['ComputerIssues'] }) {
  const { issues: texts } = useTexts().computer
  if (issues.activeIssues.length === 0)
    return (
      <Paper withBorder>
        <EmptyState p="xl" title={texts.none} description={texts.noneHint} />
      </Paper>
    )
  return (
    <Stack gap="md">
      {issues.activeIssues.map((name) => (
        <Section key={name} title={texts.names[name]}>
          <IssueDetails name={name} issues={issues} />
        </Section>
      ))}
    </Stack>
  )
}
