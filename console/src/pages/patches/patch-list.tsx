import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import {
  type RowId,
  type TableColumn,
  TableMenu,
  useRowPages,
  useTableLayout,
  VirtualTable,
} from '../../components/virtual-table.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Approval } from './approval.tsx'
import { PatchFilterBar } from './patch-filter-bar.tsx'
import { PatchSelectionBar } from './patch-selection-bar.tsx'
import { type FleetPatch, kindOfSeverity } from './severity.ts'
import { usePatchFilters } from './use-patch-filters.ts'

const idOf = ({ patchId }: FleetPatch) => patchId
const nameOf = ({ patchId, patchName, qNumber }: FleetPatch) => patchName ?? qNumber ?? `#${patchId}`
const addressOf = ({ patchId }: FleetPatch) => `/patches/${patchId}`

/** The patches that match the filters in the address; those that most computers lack come first. */
export function PatchList() {
  const patches = usePatchTexts()
  const { common } = useTexts()
  const { filters, query } = usePatchFilters()
  const pages = useRowPages<FleetPatch, Schemas['FleetPatches']>({
    queryKey: ['patches', 'list', query],
    read: (position, signal) =>
      api.GET('/api/fleet/patches', { params: { query: { ...query, ...position } }, ...(signal && { signal }) }),
  })
  const selection = usePatchSelection(pages.listId)
  const mayApprove = useHasRole('pm.approve')
  const layout = useTableLayout('patches')
  const columns = useColumns()
  return (
    <TitledTable
      title={patches.list}
      actions={
        <Group gap="sm">
          {pages.rowCount !== undefined && <Text size="sm">{patches.listTotal(pages.rowCount)}</Text>}
          <TableMenu columns={columns} layout={layout} />
        </Group>
      }
    >
      <PatchFilterBar filters={filters} />
      <VirtualTable
        caption={patches.list}
        columns={columns}
        layout={layout}
        pages={pages}
        rowId={idOf}
        rowName={nameOf}
        rowAddress={addressOf}
        {...(mayApprove && { selection })}
        empty={
          filters.areSet
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: patches.emptyTitle, text: patches.emptyText }
        }
      />
      {mayApprove && selection.ids.size > 0 && (
        <PatchSelectionBar ids={[...selection.ids].map(Number)} clear={() => selection.change(none)} />
      )}
    </TitledTable>
  )
}

const none: ReadonlySet<RowId> = new Set()

/** Other filters begin another selection: nobody approves what is out of sight. */
function usePatchSelection(listId: string) {
  const [kept, setKept] = useState({ listId, ids: none })
  const ids = kept.listId === listId ? kept.ids : none
  return { ids, change: (changed: ReadonlySet<RowId>) => setKept({ listId, ids: changed }) }
}

function useColumns(): TableColumn<FleetPatch>[] {
  const patches = usePatchTexts()
  const format = useFormat()
  const { columns } = patches
  return [
    {
      id: 'name',
      title: columns.name,
      width: 340,
      cell: (patch) => <span title={patch.bulletinTitle ?? nameOf(patch)}>{nameOf(patch)}</span>,
    },
    { id: 'number', title: columns.number, width: 130, cell: ({ qNumber, bulletinId }) => qNumber ?? bulletinId },
    {
      id: 'severity',
      title: columns.severity,
      width: 120,
      cell: ({ severity }) => <StatusBadge kind={kindOfSeverity[severity]}>{patches.severities[severity]}</StatusBadge>,
    },
    {
      id: 'released',
      title: columns.released,
      width: 110,
      cell: ({ releaseDate }) => releaseDate && format.date(releaseDate),
    },
    { id: 'missing', title: columns.missing, width: 85, isAtEnd: true, cell: ({ missing }) => format.number(missing) },
    {
      id: 'installed',
      title: columns.installed,
      width: 90,
      isAtEnd: true,
      cell: ({ installed }) => format.number(installed),
    },
    { id: 'approval', title: columns.approval, width: 180, cell: (patch) => <Approval patch={patch} /> },
  ]
}
