import { computerFilters } from '../../server/src/features/fleet/computer-list/filter.ts'
import { sortNames } from '../../server/src/features/fleet/computer-list/sort.ts'
import { viewColumns, viewDensities } from '../../server/src/features/views/pages.ts'
import type { Api } from '../../simulator/demo/api.ts'

type FilterSchema = { items?: { enum?: string[] }; examples?: unknown[] }

/** All values that a filter can have, or its example if it can have any. */
const exampleOf = ({ items, examples }: FilterSchema) => items?.enum ?? examples?.[0]

/** Somebody saves a view in every order, and one with all filters and columns, and looks at what there is to choose from. */
export async function saveViews(api: Api): Promise<void> {
  const filters = Object.fromEntries(
    Object.entries(computerFilters as unknown as Record<string, FilterSchema>).map(([name, schema]) => [
      name,
      exampleOf(schema),
    ]),
  )
  const views = [
    { filters, columns: viewColumns },
    ...viewDensities.map((density) => ({ density })),
    ...sortNames.map((sort) => ({ sort })),
  ]
  for (const [at, view] of views.entries())
    await api.post('/api/views', { page: 'computers', name: `View ${at}`, ...view })
  for (const property of ['model', 'tag', 'customField'])
    await api.get(`/api/fleet/computers/values?property=${property}`)
}
