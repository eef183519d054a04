import type { TreeRow } from './forest.ts'

/** What a key does: move to a row, open or close groups, or choose the current row. */
export type TreeStep = { moveTo?: number; toggle?: readonly string[]; choose?: boolean }

const parentOf = (rows: readonly TreeRow[], index: number) => {
  const level = rows[index]?.level ?? 1
  return rows.findLastIndex((row, at) => at < index && row.level === level - 1)
}

const siblingsOf = (rows: readonly TreeRow[], { group }: TreeRow) =>
  rows.filter((row) => row.group.parentId === group.parentId && row.isOpen === false).map((row) => row.group.id)

/** The keys of a tree, as the ARIA Authoring Practices describe them. Undefined for a key that the tree leaves alone. */
export function stepFor(key: string, rows: readonly TreeRow[], index: number): TreeStep | undefined {
  const row = rows[index]
  if (!row) return undefined
  switch (key) {
    case 'ArrowDown':
      return { moveTo: Math.min(index + 1, rows.length - 1) }
    case 'ArrowUp':
      return { moveTo: Math.max(index - 1, 0) }
    case 'Home':
      return { moveTo: 0 }
    case 'End':
      return { moveTo: rows.length - 1 }
    case 'ArrowRight':
      if (row.isOpen === false) return { toggle: [row.group.id] }
      return row.isOpen ? { moveTo: index + 1 } : {}
    case 'ArrowLeft':
      if (row.isOpen) return { toggle: [row.group.id] }
      return { moveTo: Math.max(parentOf(rows, index), 0) }
    case '*':
      return { toggle: siblingsOf(rows, row) }
    case 'Enter':
    case ' ':
      return { choose: true }
    default:
      return undefined
  }
}

/** The next row whose name begins with what was typed. While one letter grows to a word, the current row may stay. */
export function findTyped(rows: readonly TreeRow[], index: number, typed: string): number | undefined {
  const wanted = typed.toLocaleLowerCase()
  const start = typed.length === 1 ? index + 1 : index
  for (let step = 0; step < rows.length; step++) {
    const at = (start + step) % rows.length
    if (rows[at]?.group.name.toLocaleLowerCase().startsWith(wanted)) return at
  }
  return undefined
}
