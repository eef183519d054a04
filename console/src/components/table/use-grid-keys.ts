import { type KeyboardEvent, type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { SelectRows } from './use-select-rows.ts'

type Options = {
  scroller: RefObject<HTMLDivElement | null>
  rowCount: number
  rowHeight: number
  active: number
  setActive: (index: number) => void
  scrollToIndex: (index: number) => void
  select: SelectRows | undefined
  /** The page of a row, if there is one. */
  addressOf: (index: number) => string | undefined
}

/** Moves between rows, selects and opens them by keyboard, and selects them by mouse. */
export function useGridKeys(options: Options) {
  const { scroller, rowCount, rowHeight, active, setActive, scrollToIndex, select, addressOf } = options
  const navigate = useNavigate()
  const takesFocus = useRef(false)
  useLayoutEffect(() => {
    if (!takesFocus.current) return
    takesFocus.current = false
    scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)?.focus({ preventScroll: true })
  })

  function moveTo(index: number) {
    takesFocus.current = true
    setActive(index)
    scrollToIndex(index)
  }

  return {
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const row = rowOf(event)
      if (!row || event.altKey || event.metaKey) return
      const rowsPerPage = Math.max(Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2, 1)
      const index = Number(row.dataset.index)
      const target = targetOf(event.key, index, rowsPerPage, rowCount)
      if (target !== undefined) {
        event.preventDefault()
        moveTo(target)
        if (event.shiftKey) select?.extendTo(target)
      } else if (event.target === row && event.key === ' ') {
        event.preventDefault()
        if (event.shiftKey) select?.extendTo(index)
        else select?.toggle(index)
      } else if (event.target === row && event.key === 'Enter') {
        const address = addressOf(index)
        if (address !== undefined) void navigate(address)
      }
    },
    onClick(event: MouseEvent<HTMLElement>) {
      const row = rowOf(event)
      if (!row) return
      const index = Number(row.dataset.index)
      setActive(index)
      if (!(event.target as HTMLElement).closest('[data-select]')) return
      if (event.shiftKey) select?.extendTo(index)
      else select?.toggle(index)
    },
  }
}

function rowOf({ target }: { target: EventTarget }): HTMLElement | null {
  return (target as HTMLElement).closest<HTMLElement>('[data-index]')
}

function targetOf(key: string, active: number, rowsPerPage: number, rowCount: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + rowsPerPage,
    PageUp: active - rowsPerPage,
    Home: 0,
    End: rowCount - 1,
  }
  const target = targets[key]
  return target === undefined ? undefined : Math.max(0, Math.min(target, rowCount - 1))
}
