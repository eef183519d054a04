import { type KeyboardEvent, useRef } from 'react'
import type { TreeRow } from './forest.ts'
import { findTyped, stepFor } from './tree-keys.ts'

const typingMilliseconds = 700

type TreeKeyboard = {
  rows: readonly TreeRow[]
  index: number
  onMove: (id: string) => void
  onToggle: (ids: readonly string[]) => void
  onChoose: (id: string) => void
}

/** The handler of the keys of a tree, which collects letters that are typed one after the other. */
export function useTreeKeyboard({ rows, index, onMove, onToggle, onChoose }: TreeKeyboard) {
  const typed = useRef({ text: '', at: 0 })
  const moveTo = (target: number | undefined) => {
    const row = target === undefined ? undefined : rows[target]
    if (row) onMove(row.group.id)
  }
  const type = (letter: string) => {
    const isNew = Date.now() - typed.current.at > typingMilliseconds
    typed.current = { text: isNew ? letter : typed.current.text + letter, at: Date.now() }
    moveTo(findTyped(rows, index, typed.current.text))
  }
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = stepFor(event.key, rows, index)
    const isLetter = event.key.length === 1
    if (!step && !isLetter) return
    event.preventDefault()
    if (!step) return type(event.key)
    typed.current = { text: '', at: 0 }
    if (step.toggle) onToggle(step.toggle)
    if (step.choose && rows[index]) onChoose(rows[index].group.id)
    moveTo(step.moveTo)
  }
}
