import { EmptyState, Paper, Table, UnstyledButton } from '@mantine/core'
import { Fragment, type ReactNode, useId } from 'react'
import tableClasses from '../../../components/data-table.module.css'
import type { Column } from '../../../components/data-table.tsx'
import { IconChevronRight } from '../../../components/icons.ts'
import classes from './expandable-table.module.css'

type ExpandableTableProps<Row> = {
  caption: string
  /** The first one names the row; its cell opens and closes the details. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The row whose details are shown. */
  openKey: string
  onOpen: (key: string) => void
  details: (row: Row) => ReactNode
  empty: { title: string; text: string }
  footer?: ReactNode
}

/** A table whose rows open to show more about one of them at a time. */
export function ExpandableTable<Row>({ rows, empty, footer, ...table }: ExpandableTableProps<Row>) {
  return (
    <Paper withBorder>
      {rows.length === 0 ? (
        <EmptyState p="xl" title={empty.title} description={empty.text} />
      ) : (
        <Rows {...table} rows={rows} />
      )}
      {footer}
    </Paper>
  )
}

// Explicit roles: on a phone, the layout removes the native roles of table elements.
function Rows<Row>({
  caption,
  columns,
  rows,
  rowKey,
  openKey,
  onOpen,
  details,
}: Omit<ExpandableTableProps<Row>, 'empty'>) {
  const id = useId()
  return (
    <Table className={tableClasses.table} role="table" aria-label={caption}>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ id, title, width }) => (
            <Table.Th key={id} role="columnheader" {...(width !== undefined && { w: width })}>
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map((row) => {
          const key = rowKey(row)
          const isOpen = key === openKey
          return (
            <Fragment key={key}>
              <Table.Tr role="row" data-open={isOpen}>
                {columns.map(({ id: column, title, cell }, place) => (
                  <Table.Td key={column} role="cell" data-title={title}>
                    {place > 0 ? (
                      cell(row)
                    ) : (
                      <UnstyledButton
                        className={classes.toggle}
                        aria-expanded={isOpen}
                        {...(isOpen && { 'aria-controls': id })}
                        onClick={() => onOpen(isOpen ? '' : key)}
                      >
                        <IconChevronRight size={16} aria-hidden className={classes.chevron} />
                        <span>{cell(row)}</span>
                      </UnstyledButton>
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
              {isOpen && (
                <Table.Tr role="row" id={id} className={classes.details}>
                  <Table.Td role="cell" colSpan={columns.length}>
                    {details(row)}
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
