import type { PrincipalRow } from '../../api/principal-list.ts'

export type PrincipalFilters = { search: string; kind: string; state: string; sort: string }

type SortValue = (row: PrincipalRow) => string

/** Sort keys by column. A principal that never expires sorts after all others, and one that
 * was never used before all others. */
const sortValues: Record<string, SortValue> = {
  name: ({ name, identifier }) => name || identifier,
  kind: ({ kind }) => kind,
  identifier: ({ identifier }) => identifier,
  roles: ({ roles }) => roles.length.toString(),
  state: ({ state, isProtected }) => `${state} ${isProtected}`,
  expires: ({ expiresAtUtc }) => expiresAtUtc ?? 'never',
  lastUsed: ({ lastUsedUtc }) => lastUsedUtc ?? '',
}

export const sortOf = (sort: string) => ({
  column: sort.replace(/^-/, '') || 'name',
  isDescending: sort.startsWith('-'),
})

/** The rows that match the filters, in the requested order. */
export function visibleRows(
  rows: readonly PrincipalRow[],
  filters: PrincipalFilters,
  compare: (a: string, b: string) => number,
): PrincipalRow[] {
  const wanted = filters.search.trim().toLowerCase()
  const fits = (row: PrincipalRow) =>
    (filters.kind === '' || row.kind === filters.kind) &&
    (filters.state === '' || (filters.state === 'protected' ? row.isProtected : row.state === filters.state)) &&
    (wanted === '' || searchedTexts(row).some((text) => text?.toLowerCase().includes(wanted)))
  const { column, isDescending } = sortOf(filters.sort)
  const value = sortValues[column] ?? sortValues.name ?? (() => '')
  const direction = isDescending ? -1 : 1
  return rows.filter(fits).sort((a, b) => direction * compare(value(a), value(b)) || a.id - b.id)
}

function searchedTexts({ name, identifier, issuer, roles }: PrincipalRow): (string | null)[] {
  return [name, identifier, issuer, ...roles]
}
