import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answerOf, api, type Schemas } from '../../../api/client.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { LoadMore } from '../../../components/load-more.tsx'
import { Section } from '../../../components/section.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import type { StatusKind } from '../../../components/status-kinds.ts'
import { useFormat } from '../../../texts/format.ts'
import { usePatchTexts } from '../../../texts/patch-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { kindOfSeverity } from '../../patches/severity.ts'
import { computerKey } from '../computer-data.ts'
import { usePagedItems } from './use-paged-items.ts'

type Compliance = Schemas['ComputerPatchCompliance']
type Measured = Schemas['MeasuredPatch']

const kinds: Record<Compliance['state'], StatusKind> = { NotScanned: 'neutral', WithinSla: 'good', Overdue: 'bad' }

/** Whether the computer is within the SLA, and if not, why each of its overdue patches is still missing. */
export function PatchCompliance({ id }: { id: number }) {
  const { ofComputer: texts } = usePatchTexts().compliance
  const { data } = useQuery({
    queryKey: [...computerKey(id), 'patch-compliance'],
    queryFn: () =>
      answerOf(api.GET('/api/computer/{id}/patch-compliance', { params: { path: { id }, query: { top: 1 } } })),
  })
  if (!data || data.state === 'NotScanned') return null
  const { state, overduePatches } = data
  return (
    <Group gap="sm">
      <StatusBadge kind={kinds[state]}>{texts.states[state]}</StatusBadge>
      {overduePatches > 0 && <Text size="sm">{texts.overdue(overduePatches)}</Text>}
    </Group>
  )
}

/** The overdue patches, the most overdue first. */
export function OverduePatches({ id }: { id: number }) {
  const { ofComputer: texts } = usePatchTexts().compliance
  const columns = useColumns()
  const { query, items } = usePagedItems([...computerKey(id), 'patch-compliance', 'overdue'], (page) =>
    answerOf(
      api.GET('/api/computer/{id}/patch-compliance', {
        params: { path: { id }, query: { ...page, overdue: true } },
      }),
    ),
  )
  if (!items?.length) return null
  return (
    <Section title={texts.title}>
      <DataTable
        caption={texts.title}
        columns={columns}
        rows={items}
        rowKey={({ patchId, productId }) => `${patchId}-${productId}`}
        error={query.error}
        onRetry={query.refetch}
        empty={{ title: texts.states.WithinSla, text: '' }}
        footer={<LoadMore query={query} />}
      />
    </Section>
  )
}

function useColumns(): Column<Measured>[] {
  const patches = usePatchTexts()
  const { ofComputer: texts } = patches.compliance
  const { columns } = useTexts().computer.patches
  const format = useFormat()
  return [
    {
      id: 'patch',
      title: columns.patch,
      cell: ({ patchId, patchName, productName }) => (
        <Stack gap={0}>
          <Anchor component={Link} to={`/patches/${patchId}`} fz="inherit">
            {patchName}
          </Anchor>
          <Text size="xs" c="dimmed">
            {productName}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'severity',
      title: columns.severity,
      width: 120,
      cell: ({ severity }) => <StatusBadge kind={kindOfSeverity[severity]}>{patches.severities[severity]}</StatusBadge>,
    },
    { id: 'due', title: texts.due, width: 120, cell: ({ dueOn }) => (dueOn ? format.date(dueOn) : '–') },
    {
      id: 'overdue',
      title: texts.daysOverdue,
      width: 110,
      isAtEnd: true,
      cell: ({ daysOverdue }) => (daysOverdue === null ? '–' : format.number(daysOverdue)),
    },
    { id: 'why', title: texts.why, cell: ({ message }) => <span className="breakable">{message}</span> },
  ]
}
