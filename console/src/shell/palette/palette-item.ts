import type { TablerIcon } from '@tabler/icons-react'
import type { enPalette } from '../../texts/en-palette.ts'

export type PaletteGroup = keyof typeof enPalette.groups

/** Something that the palette finds. Exactly one of `to`, `href` and `run` says what happens when it is chosen. */
export type PaletteItem = {
  /** Unique among all items. */
  id: string
  group: PaletteGroup
  label: string
  hint?: string | undefined
  icon: TablerIcon
  /** A page of the console. */
  to?: string
  /** The panel that the page opens at once. */
  panel?: string
  /** A page outside of the console, such as a guide. It opens in a new tab, so nothing on this one is lost. */
  href?: string
  run?: () => void
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The items that contain every word of the text: first those whose label begins with it. Accents do not matter. */
export function matchItems(items: readonly PaletteItem[], text: string): PaletteItem[] {
  const searched = plain(text).trim()
  const words = searched.split(/\s+/)
  return items
    .map((item) => ({ item, label: plain(item.label), all: plain(`${item.label} ${item.hint ?? ''}`) }))
    .filter(({ all }) => words.every((word) => all.includes(word)))
    .sort((one, other) => rankOf(one.label, searched) - rankOf(other.label, searched))
    .map(({ item }) => item)
}

function rankOf(label: string, searched: string): number {
  if (label.startsWith(searched)) return 0
  return label.includes(` ${searched}`) ? 1 : 2
}
