import { answerOf, api, type Schemas } from '../../../../api/client.ts'
import { type Column, DataTable } from '../../../../components/data-table.tsx'
import { LoadMore } from '../../../../components/load-more.tsx'
import { useTexts } from '../../../../texts/texts.tsx'
import { computerKey } from '../../computer-data.ts'
import { usePagedItems } from '../use-paged-items.ts'

/** Windows services or systemd units. */
export function Services({ id }: { id: number }) {
  const { inventory: texts } = useTexts().computer
  const { query, items } = usePagedItems([...computerKey(id), 'services'], (page) =>
    answerOf(api.GET('/api/computer/{id}/inventory/services', { params: { path: { id }, query: page } })),
  )
  const columns: Column<Schemas['WindowsService']>[] = [
    { id: 'name', title: texts.name, cell: ({ name, displayName }) => displayName ?? name },
    { id: 'status', title: texts.state, width: 140, cell: ({ status }) => status },
    { id: 'start', title: texts.startMode, width: 140, cell: ({ startMode }) => startMode },
    { id: 'account', title: texts.account, width: 180, cell: ({ account }) => account },
  ]
  return (
    <DataTable
      caption={texts.sections.services}
      columns={columns}
      rows={items}
      rowKey={({ name }) => name}
      error={query.error}
      onRetry={query.refetch}
      empty={{ title: texts.noServices, text: texts.noServicesHint }}
      footer={<LoadMore query={query} />}
    />
  )
}
