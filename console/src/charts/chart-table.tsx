import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './charts.module.css'

type ChartTableProps = {
  title: string
  columns: readonly string[]
  /** The first cell is the heading of its row, the others are numbers. */
  rows: readonly { id: string; cells: readonly ReactNode[] }[]
}

/** The figures of a chart as a table. It can be scrolled by keyboard. */
export function ChartTable({ title, columns, rows }: ChartTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.table} aria-label={title} tabIndex={0}>
      <Table stickyHeader verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, index) => (
              <Table.Th key={column} scope="col" className={index > 0 ? classes.number : undefined}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ id, cells: [head, ...numbers] }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" fw={400}>
                {head}
              </Table.Th>
              {numbers.map((cell, index) => (
                <Table.Td key={columns[index + 1]} className={classes.number}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
