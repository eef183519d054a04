import { notifications } from '@mantine/notifications'
import { useRef, useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import type { RowId, TableSelection } from './table-props.ts'
import type { RowPages } from './use-row-pages.ts'

type Options<Row, Page> = {
  pages: RowPages<Row, Page>
  rowId: (row: Row) => RowId
  selection: TableSelection | undefined
}

export type SelectRows = {
  isSelected: (index: number) => boolean
  selectedCount: number
  /** How many rows have been read, while a selection reads rows that are not loaded. */
  reading: number | undefined
  toggle: (index: number) => void
  extendTo: (index: number) => void
  toggleAll: () => void
}

/** Selects rows by their ids. Rows that are not loaded are read first: a selection never silently leaves some out. */
export function useSelectRows<Row, Page>({ pages, rowId, selection }: Options<Row, Page>): SelectRows {
  const { common, table } = useTexts()
  const [reading, setReading] = useState<number>()
  const start = useRef(0)
  const ids = selection?.ids ?? none
  const idAt = (index: number) => {
    const row = pages.rowAt(index)
    return row === undefined ? undefined : rowId(row)
  }

  async function add(first: number, last: number) {
    setReading(0)
    try {
      const rows = await pages.readRange(first, last, { onRead: setReading })
      selection?.change(new Set([...ids, ...rows.map(rowId)]))
    } catch {
      notifications.show({
        message: table.selectFailed,
        color: 'red',
        closeButtonProps: { 'aria-label': common.close },
      })
    }
    setReading(undefined)
  }

  return {
    isSelected: (index) => {
      const id = idAt(index)
      return id !== undefined && ids.has(id)
    },
    selectedCount: ids.size,
    reading,
    toggle(index) {
      const id = idAt(index)
      if (id === undefined || !selection) return
      start.current = index
      const changed = new Set(ids)
      if (!changed.delete(id)) changed.add(id)
      selection.change(changed)
    },
    extendTo(index) {
      const [first, last] = [Math.min(start.current, index), Math.max(start.current, index)]
      const between = Array.from({ length: last - first + 1 }, (_, offset) => idAt(first + offset))
      const loaded = between.filter((id) => id !== undefined)
      if (loaded.length === between.length) selection?.change(new Set([...ids, ...loaded]))
      else void add(first, last)
    },
    toggleAll() {
      if (ids.size > 0) selection?.change(none)
      else void add(0, (pages.rowCount ?? 0) - 1)
    },
  }
}

const none: ReadonlySet<RowId> = new Set()
