import { useSearchParams } from 'react-router'
import { type Forest, listAncestors } from './forest.ts'

// Longer addresses are refused by some proxies.
const maxOpenGroups = 150
const separator = '.'

/** Which groups are open and what is searched for, as the address says. Without it, the way to the group is open. */
export function useTreeAddress(forest: Forest | undefined, groupId: string | undefined) {
  const [params, setParams] = useSearchParams()
  const listed = params.get('open')
  const open = new Set(listed === null ? wayTo(forest, groupId) : listed.split(separator))
  const change = (name: string, value: string | undefined) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === undefined) after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  return {
    isOpen: (id: string) => open.has(id),
    toggle(ids: readonly string[]) {
      const after = new Set(open)
      for (const id of ids) if (!after.delete(id)) after.add(id)
      change('open', [...after].slice(-maxOpenGroups).join(separator))
    },
    search: params.get('search') ?? '',
    setSearch: (text: string) => change('search', text || undefined),
    /** The part of the query that stays on the way to another group or tab. */
    query: queryOf({ open: listed, search: params.get('search') }),
  }
}

function queryOf(values: Record<string, string | null>): string {
  const kept = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null)
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`
}

function wayTo(forest: Forest | undefined, groupId: string | undefined): string[] {
  if (!forest) return []
  const above = groupId ? listAncestors(forest, groupId).map(({ id }) => id) : []
  return [...forest.roots.map(({ group }) => group.id), ...above]
}
