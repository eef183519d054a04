import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { components, paths } from '../../api/types.ts'
import { UnknownFilter } from '../../components/unknown-filter.ts'
import type { Density } from '../../components/virtual-table.tsx'

export type Schemas = components['schemas']
export type FleetComputer = Schemas['FleetComputer']
export type ListQuery = NonNullable<paths['/api/fleet/computers']['get']['parameters']['query']>
export type SortName = NonNullable<ListQuery['sort']>

/** What the service counts beside the filters. The compiler asks for texts when it counts more. */
export type FacetName = Exclude<keyof Schemas['ComputerFacets'], 'computers' | 'calculatedAtUtc' | 'ageSeconds'>

const facetSet: Record<FacetName, true> = {
  operatingSystem: true,
  healthStatus: true,
  agentStatus: true,
  lastContact: true,
  connection: true,
  issue: true,
  patchAge: true,
  missingSeverity: true,
  nextContact: true,
}
export const facetNames = Object.keys(facetSet) as FacetName[]

/** Properties with many values, which the service counts when somebody looks at them. */
export const valueFilters = ['osVersion', 'model', 'tag', 'customField'] as const
export type ValueFilterName = (typeof valueFilters)[number]

export type FilterName = FacetName | ValueFilterName | 'groupId'
export const filterNames: readonly FilterName[] = [...facetNames, ...valueFilters, 'groupId']

/** What the list selects by installed software. The page of the software leads to it. */
export const softwareNames = ['software', 'softwareBelow', 'softwareAtLeast', 'softwareVersion'] as const
export type SoftwareName = (typeof softwareNames)[number]

export type ListAddress = {
  search: string
  software: Partial<Record<SoftwareName, string>>
  sort: SortName
  isDescending: boolean
  filters: Record<FilterName, readonly string[]>
  /** The columns of a link or a saved view; null: those that the person has chosen. */
  columns: readonly string[] | null
  /** The density of a link or a saved view; null: the one that the person has chosen. */
  density: Density | null
  hasFilters: boolean
}

const densities: readonly Density[] = ['Comfortable', 'Compact']

/** The parameters of the address have the names of those of the API, so every list has a link. */
export function parseListAddress(params: URLSearchParams): ListAddress {
  const filters = Object.fromEntries(filterNames.map((name) => [name, params.getAll(name)])) as Record<
    FilterName,
    string[]
  >
  const search = params.get('search') ?? ''
  const software = softwareOf(params)
  return {
    search,
    software,
    sort: (params.get('sort') ?? 'hostname') as SortName,
    isDescending: params.get('descending') === 'true',
    filters,
    columns: params.get('columns')?.split(',') ?? null,
    density: densityOf(params),
    hasFilters:
      search !== '' || software.software !== undefined || filterNames.some((name) => filters[name].length > 0),
  }
}

function densityOf(params: URLSearchParams): Density | null {
  const name = params.get('density')
  const density = densities.find((one) => one === name) ?? null
  if (name !== null && density === null) throw new UnknownFilter('density', name)
  return density
}

/** A version without the name of its software selects nothing: to leave it out would show all computers. */
function softwareOf(params: URLSearchParams): ListAddress['software'] {
  const given = softwareNames
    .map((name) => [name, params.get(name)?.trim() ?? ''] as const)
    .filter(([, value]) => value !== '')
  const [first] = given
  if (first && first[0] !== 'software') throw new UnknownFilter(...first)
  return Object.fromEntries(given) as ListAddress['software']
}

/** The filters as the API takes them, without those that are not set. */
export function toFilterQuery({ search, software, filters }: ListAddress): Partial<ListQuery> {
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, values]) => values.length > 0))
  return { ...(search.trim() && { search }), ...software, ...chosen }
}

export function toListQuery(address: ListAddress): Partial<ListQuery> {
  return {
    ...toFilterQuery(address),
    ...(address.sort !== 'hostname' && { sort: address.sort }),
    ...(address.isDescending && { descending: true }),
  }
}

/** The same list as a file. */
export function csvAddress(address: ListAddress): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(toListQuery(address)))
    for (const one of [value].flat()) params.append(name, String(one))
  return `/api/fleet/computers/csv?${params}`
}

/** The same object until the address changes: pages of rows that arrive meanwhile do not render the filters again. */
export function useListAddress() {
  const [params, setParams] = useSearchParams()
  // A second choice may be made before the page shows the first.
  const newest = useRef(params)
  useLayoutEffect(() => {
    newest.current = params
  }, [params])
  const change = useCallback(
    (edit: (params: URLSearchParams) => void, options: { replace?: boolean } = {}) => {
      const changed = new URLSearchParams(newest.current)
      edit(changed)
      newest.current = changed
      setParams(changed, options)
    },
    [setParams],
  )
  return useMemo(
    () => ({
      address: parseListAddress(params),
      params,
      // Typing is one step of "back", not one for each letter.
      setSearch: (text: string) =>
        change((next) => setOrDelete(next, 'search', text), { replace: params.has('search') }),
      toggle: (name: FilterName, value: string) =>
        change((next) => {
          const values = next.getAll(name)
          next.delete(name)
          const others = values.filter((other) => other !== value)
          for (const one of others.length < values.length ? others : [...values, value]) next.append(name, one)
        }),
      clearSoftware: () =>
        change((next) => {
          for (const name of softwareNames) next.delete(name)
        }),
      clear: () =>
        change((next) => {
          for (const name of ['search', ...softwareNames, ...filterNames]) next.delete(name)
        }),
      sortBy: (column: string) =>
        change((next) => {
          const { sort, isDescending } = parseListAddress(next)
          setOrDelete(next, 'sort', column === 'hostname' ? '' : column)
          setOrDelete(next, 'descending', sort === column && !isDescending ? 'true' : '')
        }),
      setColumns: (columns: readonly string[] | null) =>
        change((next) => setOrDelete(next, 'columns', columns?.join(',') ?? ''), { replace: true }),
      clearDensity: () => change((next) => next.delete('density'), { replace: true }),
    }),
    [params, change],
  )
}

function setOrDelete(params: URLSearchParams, name: string, value: string) {
  if (value) params.set(name, value)
  else params.delete(name)
}
