import { Paper, Stack, Text } from '@mantine/core'
import { Figure, Figures } from '../../components/figures.tsx'
import { OutcomeBar } from '../../components/outcome-bar.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { GroupPageData } from './group-queries.ts'
import { outcomeParts, sumResults } from './group-results.ts'

/** The numbers of a group: its computers, their health, and what became of the packages assigned to it. */
export function GroupSummary({ page }: { page: GroupPageData }) {
  const { groups } = useTexts()
  const format = useFormat()
  const { health, kind } = page
  const results = sumResults(page.assignments)
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Figures>
          <Figure name={groups.computers}>{format.number(page.computers)}</Figure>
          <Figure name={groups.members}>{format.number(page.members)}</Figure>
          {health && <Figure name={groups.health.Healthy}>{format.number(health.Healthy)}</Figure>}
          {health && <Figure name={groups.health.Warning}>{format.number(health.Warning)}</Figure>}
          {health && <Figure name={groups.health.Unreachable}>{format.number(health.Unreachable)}</Figure>}
          {(kind === 'EOL' || kind === 'Restore') && (
            <Figure name={groups.kind}>
              <StatusBadge kind="warning">{groups.kinds[kind]}</StatusBadge>
            </Figure>
          )}
        </Figures>
        {results && results.total > 0 ? (
          <OutcomeBar label={groups.results} parts={outcomeParts(results, groups)} />
        ) : (
          <Text size="sm" c="dimmed">
            {results ? groups.noResults : groups.needsRole('package.read')}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
