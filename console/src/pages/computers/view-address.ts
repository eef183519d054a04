import type { View } from '../../api/views.ts'
import { filterNames, type ListAddress, softwareNames, toFilterQuery } from './list-address.ts'

export type ViewContent = Pick<View, 'filters' | 'sort' | 'descending' | 'columns'> & { density: View['density'] }

/** What a view of the list keeps. */
export function toViewContent(address: ListAddress, shown: readonly string[], density: View['density']): ViewContent {
  return {
    filters: toFilterQuery(address) as View['filters'],
    sort: address.sort,
    descending: address.isDescending,
    columns: [...shown] as View['columns'],
    density,
  }
}

const parameters = ['search', ...softwareNames, ...filterNames] as const

/** The part of an address with the list of a view. The order of its parameters does not depend on who has written the view. */
export function addressOfView({ filters, sort, descending, columns, density }: ViewContent): string {
  const params = new URLSearchParams()
  for (const name of parameters) for (const value of [filters[name] ?? []].flat()) params.append(name, value)
  if (sort !== 'hostname') params.set('sort', sort)
  if (descending) params.set('descending', 'true')
  if (columns.length > 0) params.set('columns', columns.join(','))
  if (density) params.set('density', density)
  return `?${params}`
}
