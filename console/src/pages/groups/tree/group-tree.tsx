import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useRef, useState } from 'react'
import type { TreeRow } from './forest.ts'
import classes from './group-tree.module.css'
import { TreeItem } from './tree-item.tsx'
import { useTreeKeyboard } from './use-tree-keyboard.ts'

type GroupTreeProps = {
  label: string
  rows: readonly TreeRow[]
  chosenId: string | undefined
  onToggle: (ids: readonly string[]) => void
  onChoose: (id: string) => void
}

const rowHeight = 30

/** The groups as a tree for mouse and keyboard. Only the lines in sight are part of the page. */
export function GroupTree({ label, rows, chosenId, onToggle, onChoose }: GroupTreeProps) {
  const treeId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [currentId, setCurrentId] = useState(chosenId)
  const indexOf = (id: string | undefined) => rows.findIndex(({ group }) => group.id === id)
  // The current group may have been deleted, or be below a closed one.
  const index = [indexOf(currentId), indexOf(chosenId), 0].find((at) => at >= 0) ?? 0
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The current line stays part of the page: assistive technology follows a reference to it.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const first = Math.max(startIndex - overscan, 0)
      const last = Math.min(endIndex + overscan, count - 1)
      const inSight = Array.from({ length: last - first + 1 }, (_, step) => first + step)
      return index >= first && index <= last ? inSight : [...inSight, index].sort((a, b) => a - b)
    },
  })
  const { scrollToIndex } = lines
  useEffect(() => scrollToIndex(index), [index, scrollToIndex])
  const onKeyDown = useTreeKeyboard({ rows, index, onMove: setCurrentId, onToggle, onChoose })
  const choose = (id: string) => {
    setCurrentId(id)
    onChoose(id)
  }
  const idOf = (id: string) => `${treeId}-${id}`
  const current = rows[index]
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      tabIndex={0}
      className={classes.tree}
      onKeyDown={onKeyDown}
      {...(current && { 'aria-activedescendant': idOf(current.group.id) })}
    >
      <div role="presentation" className={classes.lines} style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map(({ index: at, start }) => {
          const row = rows[at]
          if (!row) return null
          return (
            <TreeItem
              key={row.group.id}
              id={idOf(row.group.id)}
              row={row}
              top={start}
              isCurrent={at === index}
              isChosen={row.group.id === chosenId}
              onToggle={() => onToggle([row.group.id])}
              onChoose={() => choose(row.group.id)}
            />
          )
        })}
      </div>
    </div>
  )
}
