import {
  type ColumnDef,
  type Header,
  type Row,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Sorting } from '../data-table.tsx'
import type { TableColumn } from './table-props.ts'

const features = tableFeatures({ rowSortingFeature })

/** A row in sight with its index in the whole list. The data is undefined while its page is being read. */
export type RowInSight<Data> = { index: number; data: Data | undefined }

export type ModelRow<Data> = Row<typeof features, RowInSight<Data>>
export type ModelHeader<Data> = Header<typeof features, RowInSight<Data>>

type ModelProps<Data> = {
  /** In the order in which they are shown. */
  visible: readonly TableColumn<Data>[]
  sorting: Sorting | undefined
  rows: RowInSight<Data>[]
}

/** Headers and cells of the rows in sight. The service sorts and pages; the model knows only what is on the screen. */
export function useTableModel<Data>({ visible, sorting, rows }: ModelProps<Data>) {
  const definitions = useMemo(() => visible.map((column) => toDefinition(column)), [visible])
  return useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: ({ index }) => String(index),
    manualSorting: true,
    state: { sorting: sorting ? [{ id: sorting.column, desc: sorting.isDescending }] : [] },
  })
}

function toDefinition<Data>({ id, title, isSortable = false }: TableColumn<Data>) {
  const definition: ColumnDef<typeof features, RowInSight<Data>> = {
    id,
    header: title,
    enableSorting: isSortable,
    // The service knows how to compare the values; the accessor only makes the column sortable.
    accessorFn: ({ index }) => index,
  }
  return definition
}
