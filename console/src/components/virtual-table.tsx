import { EmptyState, Paper } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ProblemView } from './problem-view.tsx'
import { Grid } from './table/grid.tsx'
import type { VirtualTableProps } from './table/table-props.ts'

export { TableMenu } from './table/table-menu.tsx'
export type { RowId, TableColumn } from './table/table-props.ts'
export { type PagePosition, type RowPages, useRowPages } from './table/use-row-pages.ts'
export { type Density, type TableLayout, useTableLayout } from './table/use-table-layout.ts'

/**
 * The table of long lists. It renders the rows in sight only, and reads their pages as the user scrolls; the list may have 100,000 rows.
 * On a phone each row becomes a card. Rows are reached by keyboard like those of a grid: arrows, Page up and down, Home, End.
 */
export function VirtualTable<Row, Page>(props: VirtualTableProps<Row, Page>) {
  const { pages, empty } = props
  const areCards = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false
  if (pages.error && pages.rowCount === undefined) return <ProblemView error={pages.error} onRetry={pages.retry} />
  if (pages.rowCount === 0)
    return (
      <Paper withBorder>
        <EmptyState p="xl" title={empty.title} description={empty.text}>
          {empty.action}
        </EmptyState>
      </Paper>
    )
  // Rows of another height have other positions.
  return <Grid key={areCards ? 'cards' : props.layout.density} {...props} areCards={areCards} />
}
