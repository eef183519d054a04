import { EmptyState, Group, Paper, Stack, Text } from '@mantine/core'
import { answerOf, api, type Schemas } from '../../../../api/client.ts'
import { LoadMore } from '../../../../components/load-more.tsx'
import { Moment } from '../../../../components/moment.tsx'
import { StatusBadge } from '../../../../components/status-badge.tsx'
import { useComputerHistoryTexts } from '../../../../texts/computer-history-texts.ts'
import { useFormat } from '../../../../texts/format.ts'
import { useWhyTexts } from '../../../../texts/why-texts.ts'
import { computerKey } from '../../computer-data.ts'
import { Output } from '../../why/output.tsx'
import { TabContent } from '../tab-content.tsx'
import { usePagedItems } from '../use-paged-items.ts'

/** What failed commands wrote. */
export function ErrorHistory({ id }: { id: number }) {
  const texts = useComputerHistoryTexts()
  const { query, items } = usePagedItems([...computerKey(id), 'errors'], (page) =>
    answerOf(api.GET('/api/computer/{id}/setup-error-log', { params: { path: { id }, query: page } })),
  )
  return (
    <TabContent query={{ ...query, data: items }}>
      {(errors) => (
        <Stack gap="md">
          {errors.length === 0 && (
            <Paper withBorder>
              <EmptyState p="xl" title={texts.noErrors} description={texts.noErrorsHint} />
            </Paper>
          )}
          {errors.map((entry) => (
            <FailedCommand key={entry.id} entry={entry} />
          ))}
          <LoadMore query={query} />
        </Stack>
      )}
    </TabContent>
  )
}

function FailedCommand({ entry }: { entry: Schemas['SetupErrorLogEntry'] }) {
  const texts = useComputerHistoryTexts()
  const why = useWhyTexts()
  const format = useFormat()
  const { softwareName, commandLine, exitCode, attempt, loggedAtUtc, output } = entry
  return (
    <Paper withBorder p="sm">
      <Group gap="xs" mb={4}>
        <Text fw={600} size="sm">
          {softwareName ?? texts.deletedPackage}
        </Text>
        {exitCode !== null && <StatusBadge kind="bad">{texts.exitCode(exitCode)}</StatusBadge>}
        <Text size="xs" c="dimmed">
          <Moment at={loggedAtUtc} /> · {texts.attempt(attempt)}
        </Text>
      </Group>
      {commandLine && (
        <Text size="xs" ff="monospace" c="dimmed" mb={4} className="breakable">
          {commandLine}
        </Text>
      )}
      <Output
        label={why.outputOf(softwareName ?? '', exitCode, format.exactDateTime(loggedAtUtc))}
        text={output || why.noOutput}
      />
    </Paper>
  )
}
