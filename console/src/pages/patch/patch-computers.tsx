import { Anchor, SegmentedControl, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import type { components } from '../../api/types.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { Section } from '../../components/section.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { type PatchTexts, usePatchTexts } from '../../texts/patch-texts.ts'

type Device = components['schemas']['PatchStatusDevice']

/** The computers that lack the patch, or that have it. */
export function PatchComputers({ patchId }: { patchId: number }) {
  const patches = usePatchTexts()
  const texts = patches.patch
  const filters = useFilters(['scan'], { scan: ['Missing', 'Installed'] })
  const scanStatus = filters.values.scan === 'Installed' ? 'Installed' : 'Missing'
  const pages = useListPages({
    queryKey: ['patches', 'one', patchId, 'computers', scanStatus],
    load: (page) =>
      api.GET('/api/computer/patch-status', { params: { query: { top: 50, patchId, scanStatus, ...page } } }),
  })
  return (
    <Section
      title={texts.computersTitle}
      actions={pages.total !== undefined && <Text size="sm">{patches.computers(pages.total)}</Text>}
    >
      <SegmentedControl
        mb="sm"
        aria-label={texts.status}
        data={Object.entries(texts.scanStates).map(([value, label]) => ({ value, label }))}
        value={scanStatus}
        onChange={(value) => filters.set({ scan: value === 'Missing' ? '' : value })}
      />
      <DataTable
        caption={texts.computersTitle}
        columns={columnsOf(texts)}
        rows={pages.rows}
        rowKey={({ clientId, productId }) => `${clientId} ${productId}`}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.noComputers, text: '' }}
        footer={<LoadMore query={pages} />}
      />
    </Section>
  )
}

function columnsOf(texts: PatchTexts['patch']): Column<Device>[] {
  return [
    {
      id: 'hostname',
      title: texts.hostname,
      cell: ({ clientId, hostname }) => (
        <Anchor component={Link} to={`/computers/${clientId}/patches`} size="sm">
          {hostname}
        </Anchor>
      ),
    },
    { id: 'product', title: texts.product, cell: ({ productName }) => productName },
    {
      id: 'scanned',
      title: texts.scanned,
      cell: ({ lastScanDate }) => lastScanDate && <Moment at={lastScanDate} />,
      width: 180,
    },
    {
      id: 'assigned',
      title: texts.assigned,
      cell: ({ isAssigned }) => (isAssigned ? texts.yes : texts.no),
      width: 150,
    },
  ]
}
