import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTableLayoutTexts } from '../../texts/table-layout-texts.ts'
import { maxColumnWidth, minColumnWidth } from './layout.ts'
import classes from './virtual-table.module.css'

type ResizeHandleProps = { title: string; width: number; onResize: (width: number) => void }

const step = 10
const largeStep = 50

/** The border between two columns. It is dragged, moved with the arrow keys, and fits the column with a double click or Enter. */
export function ResizeHandle({ title, width: usual, onResize }: ResizeHandleProps) {
  const texts = useTableLayoutTexts()
  const [measured, setMeasured] = useState<number>()
  const drag = useRef<{ x: number; width: number } | undefined>(undefined)
  const resize = (wanted: number) => {
    const next = Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, wanted)))
    setMeasured(next)
    onResize(next)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const current = widthOf(event.currentTarget)
    const by = event.shiftKey ? largeStep : step
    const wanted = { ArrowLeft: current - by, ArrowRight: current + by, Home: minColumnWidth, End: maxColumnWidth }
    const width = event.key === 'Enter' ? fittingWidth(event.currentTarget) : wanted[event.key as keyof typeof wanted]
    if (width === undefined) return
    event.preventDefault()
    resize(width)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved is no line between paragraphs
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={texts.resize(title)}
      aria-valuemin={minColumnWidth}
      aria-valuemax={maxColumnWidth}
      aria-valuenow={Math.min(maxColumnWidth, Math.round(measured ?? usual))}
      aria-valuetext={texts.pixels(Math.round(measured ?? usual))}
      tabIndex={0}
      title={texts.resizeHint}
      className={classes.handle}
      onFocus={(event) => setMeasured(widthOf(event.currentTarget))}
      onKeyDown={onKeyDown}
      onDoubleClick={(event) => resize(fittingWidth(event.currentTarget))}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { x: event.clientX, width: widthOf(event.currentTarget) }
      }}
      onPointerMove={(event) => {
        if (drag.current) resize(drag.current.width + event.clientX - drag.current.x)
      }}
      onLostPointerCapture={() => {
        drag.current = undefined
      }}
      // A double click selects the title, which would be dragged instead of the border.
      onMouseDown={(event) => {
        event.preventDefault()
        event.currentTarget.focus()
      }}
    />
  )
}

const headOf = (handle: HTMLElement) => handle.closest<HTMLElement>('[role=columnheader]')

const widthOf = (handle: HTMLElement) => headOf(handle)?.getBoundingClientRect().width ?? minColumnWidth

const cellPadding = 24

/** The width in which all that is rendered of the column has its place. */
function fittingWidth(handle: HTMLElement): number {
  const head = headOf(handle)
  const place = head?.getAttribute('aria-colindex')
  const cells = head?.closest('table')?.querySelectorAll(`[aria-colindex="${place}"]:not([data-loading])`) ?? []
  const widths = [...cells].map((cell) => {
    const content = document.createRange()
    content.selectNodeContents(cell.querySelector('[data-content]') ?? cell)
    return content.getBoundingClientRect().width
  })
  const icon = head?.querySelector('svg') ? 18 : 0
  const [headWidth = 0, ...others] = widths
  return Math.max(headWidth + icon, ...others) + cellPadding
}
