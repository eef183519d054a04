import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { DataAge } from '../../components/data-age.tsx'
import { IconDownload } from '../../components/icons.ts'
import { Page } from '../../components/page.tsx'
import {
  type RowPages,
  type TableLayout,
  TableMenu,
  useTableLayout,
  VirtualTable,
} from '../../components/virtual-table.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './computers.module.css'
import { CreateComputer } from './create-computer.tsx'
import { Filters } from './filters.tsx'
import { csvAddress, type FleetComputer, type Schemas, useListAddress } from './list-address.ts'
import { SelectionBar } from './selection-bar.tsx'
import { standardColumns, useColumns } from './use-columns.tsx'
import { useComputerList } from './use-computer-list.ts'
import { useSelection } from './use-selection.ts'
import { toViewContent } from './view-address.ts'
import { ViewsMenu } from './views-menu.tsx'

const idOf = ({ id }: FleetComputer) => id
const nameOf = ({ hostname }: FleetComputer) => hostname
const addressOf = ({ id }: FleetComputer) => `/computers/${id}`

/** All computers, as a list to search, filter and sort, and from which to select what to act on. */
export function ComputersPage() {
  const { computers: texts } = useTexts()
  const list = useListAddress()
  const { address, sortBy } = list
  const pages = useComputerList(address)
  const allColumns = useColumns()
  const layout = useListLayout(list)
  const hasSoftware = address.software.software !== undefined
  // What was asked for is shown beside the name; without the question, there is nothing to show.
  const columns = hasSoftware ? allColumns : allColumns.filter(({ id }) => id !== 'software')
  const wanted = layout.shown ?? standardColumns
  const shown = hasSoftware ? [...new Set([...wanted, 'software'])] : wanted.filter((id) => id !== 'software')
  const selection = useSelection(address)
  const mayWrite = useHasRole('computer.write')

  const selectAll = async (onRead: (rows: number) => void) => {
    const rows = await pages.readRange(0, (pages.rowCount ?? 0) - 1, { onRead })
    selection.change(new Set(rows.map(idOf)))
  }

  const tools = (
    <>
      <ViewsMenu content={toViewContent(address, shown, layout.density)} />
      <TableMenu columns={columns} shown={shown} layout={layout} />
      <Button
        component="a"
        href={csvAddress(address)}
        download
        variant="default"
        size="compact-sm"
        fw={500}
        leftSection={<IconDownload size={14} aria-hidden />}
      >
        {texts.csv}
      </Button>
      {mayWrite && <CreateComputer />}
    </>
  )

  return (
    <Page title={texts.title} intro={<Total pages={pages} />} actions={tools}>
      <Filters list={list} />
      <VirtualTable
        caption={texts.list}
        columns={columns}
        shown={shown}
        layout={layout}
        pages={pages}
        rowId={idOf}
        rowName={nameOf}
        rowAddress={addressOf}
        sorting={{ column: address.sort, isDescending: address.isDescending, sortBy }}
        selection={selection}
        empty={useEmptyTexts(address.hasFilters)}
      />
      {selection.list.length > 0 && (
        <SelectionBar
          ids={selection.list}
          total={pages.rowCount ?? 0}
          selectAll={selectAll}
          clear={() => selection.change(new Set())}
        />
      )}
    </Page>
  )
}

/** The layout that the person has chosen. Columns and density of a link or a saved view go before it until they are changed. */
function useListLayout({ address, setColumns, clearDensity }: ReturnType<typeof useListAddress>): TableLayout {
  const own = useTableLayout('computers')
  const shown = address.columns ?? own.shown
  return {
    ...own,
    density: address.density ?? own.density,
    ...(shown && { shown }),
    setDensity(density) {
      own.setDensity(density)
      if (address.density) clearDensity()
    },
    setShown(next) {
      own.setShown(next)
      if (address.columns) setColumns(null)
    },
    reset() {
      own.reset()
      if (address.columns) setColumns(null)
    },
  }
}

function Total({ pages }: { pages: RowPages<FleetComputer, Schemas['FleetComputers']> }) {
  const { computers: texts } = useTexts()
  if (pages.rowCount === undefined || !pages.latest) return null
  const { calculatedAtUtc } = pages.latest
  return (
    <Group gap="sm">
      <Text span size="sm" role="status" className={classes.total ?? ''}>
        {texts.total(pages.rowCount)}
      </Text>
      {calculatedAtUtc ? <DataAge atUtc={calculatedAtUtc} /> : <Text size="xs">{texts.notCounted}</Text>}
    </Group>
  )
}

function useEmptyTexts(hasFilters: boolean) {
  const { computers: texts } = useTexts()
  const mayEnrol = useHasRole('admin.manage')
  if (hasFilters) return { title: texts.noMatch, text: texts.noMatchHint }
  return {
    title: texts.noComputers,
    text: texts.noComputersHint,
    action: mayEnrol && (
      <Anchor component={Link} to="/admin/enrolment">
        {texts.toEnrolment}
      </Anchor>
    ),
  }
}
