import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api, type Schemas } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useLive } from '../../live/use-live.ts'
import { useOsInstallationTexts } from '../../texts/os-installation-texts.ts'
import { OsReadiness } from '../computer/tabs/summary/os-readiness.tsx'
import { TableSection } from './table-section.tsx'

type Installation = Schemas['PendingOsInstallation']

const installationsKey = ['os-installations'] as const

/** The computers whose operating system is to be installed: what each needs, and how far it is. */
export function OsInstallations() {
  const { list } = useOsInstallationTexts()
  const columns = useColumns()
  useLive({ types: ['muster.task.*', 'muster.work.*'], refreshes: [installationsKey] })
  const pages = useListPages({
    queryKey: installationsKey,
    load: (page) => api.GET('/api/fleet/os-installations', { params: { query: { top: 50, ...page } } }),
  })
  return (
    <TableSection title={list.title}>
      {pages.rows?.length === 0 ? (
        <Text size="sm" c="dimmed">
          {list.emptyText}
        </Text>
      ) : (
        <DataTable
          caption={list.title}
          columns={columns}
          rows={pages.rows}
          rowKey={({ id }) => id}
          error={pages.error}
          onRetry={pages.refetch}
          empty={{ title: list.title, text: list.emptyText }}
          footer={<LoadMore query={pages} />}
        />
      )}
    </TableSection>
  )
}

function useColumns(): Column<Installation>[] {
  const { list } = useOsInstallationTexts()
  const { columns } = list
  return [
    {
      id: 'computer',
      title: columns.computer,
      width: 200,
      cell: ({ id, hostname }) => (
        <Anchor component={Link} to={`/computers/${id}`} size="sm" fw={600} className="breakable">
          {hostname}
        </Anchor>
      ),
    },
    { id: 'edition', title: columns.edition, width: 200, cell: ({ edition }) => edition ?? '–' },
    { id: 'readiness', title: columns.readiness, cell: (installation) => <OsReadiness {...installation} /> },
    { id: 'since', title: columns.since, width: 180, cell: ({ activatedAtUtc }) => <Moment at={activatedAtUtc} /> },
    { id: 'progress', title: columns.progress, width: 220, cell: (installation) => <Progress {...installation} /> },
  ]
}

/** A report that waits is confirmed on the page of the computer. */
function Progress({ id, bootRequests, reports }: Installation) {
  const { list } = useOsInstallationTexts()
  if (reports > 0)
    return (
      <Anchor component={Link} to={`/computers/${id}`} size="sm">
        <StatusBadge kind="warning">{list.reports(reports)}</StatusBadge>
      </Anchor>
    )
  return bootRequests > 0 ? list.booted(bootRequests) : list.notBooted
}
