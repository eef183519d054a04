import { matchItems, type PaletteGroup, type PaletteItem } from './palette-item.ts'
import { useRecentItems } from './recent-items.ts'
import { useFoundItems } from './use-found-items.ts'
import { useLocalItems } from './use-local-items.ts'

/** The order of the groups, and how many matches each of them shows. */
const maxItems: Record<PaletteGroup, number> = {
  recent: 5,
  computers: 5,
  users: 5,
  groups: 5,
  packages: 5,
  rollouts: 5,
  cves: 5,
  patches: 5,
  principals: 5,
  pages: 6,
  actions: 6,
  guides: 5,
}

/** What the palette shows for a text: without one, what was chosen last, and all pages and actions. */
export function usePaletteItems(text: string, showShortcuts: () => void) {
  const { recent, remember } = useRecentItems()
  const local = useLocalItems(showShortcuts)
  const { items: found, further, isSearching, error } = useFoundItems(text)
  const isEmpty = text.trim() === ''
  const shown = isEmpty
    ? [...recent, ...local.filter(({ group }) => group === 'pages' || group === 'actions')]
    : [...found, ...matchItems(local, text), ...further]
  const byGroup = Map.groupBy(shown, ({ group }) => group)
  const groups = (Object.keys(maxItems) as PaletteGroup[]).flatMap((group) => {
    const items = firstOf(byGroup.get(group) ?? [], isEmpty ? Number.POSITIVE_INFINITY : maxItems[group])
    return items.length > 0 ? [{ group, items }] : []
  })
  return { groups, items: groups.flatMap(({ items }) => items), isSearching, error, remember }
}

/** The last ones of the actions are where the search continues: those stay. */
function firstOf(items: readonly PaletteItem[], count: number): PaletteItem[] {
  const further = items.filter(({ id }) => id.startsWith('further '))
  const others = items.filter((item) => !further.includes(item))
  return [...others.slice(0, count), ...further]
}
