import { Anchor, Group, Stack, Text } from '@mantine/core'
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
  const columns = useColumns()
  const { query, items } = usePagedItems([...computerKey(id), 'patch-compliance'], (page) =>
    answerOf(
      api.GET('/api/computer/{id}/patch-compliance', {
        params: { path: { id }, query: { ...page, overdue: true } },
      }),
    ),
  )
  const about = query.data?.pages.at(0) as Compliance | undefined
  if (!about || about.state === 'NotScanned') return null
  const state = (
    <Group gap="sm">
      <StatusBadge kind={kinds[about.state]}>{texts.states[about.state]}</StatusBadge>
      {about.overduePatches > 0 && <Text size="sm">{texts.overdue(about.overduePatches)}</Text>}
    </Group>
  )
  if (!items?.length) return <>{state}</>
  return (
    <Section title={texts.title} actions={state}>
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
