import { NativeSelect } from '@mantine/core'
import { FilterBar } from '../../components/filter-bar.tsx'
import { SearchField } from '../../components/search-field.tsx'
import type { Filters } from '../../components/use-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { PrincipalFilters } from './visible-rows.ts'

export function PrincipalFilterBar({ filters }: { filters: Filters<keyof PrincipalFilters> }) {
  const { common, principals } = useTexts()
  const { values, set } = filters
  const options = (choices: Record<string, string>) => [
    { value: '', label: common.all },
    ...Object.entries(choices).map(([value, label]) => ({ value, label })),
  ]
  return (
    <FilterBar filters={filters}>
      <SearchField
        label={principals.search}
        placeholder={principals.searchHint}
        value={values.search}
        onSearch={(search) => set({ search })}
      />
      <NativeSelect
        label={principals.kindFilter}
        data={options(principals.kinds)}
        value={values.kind}
        onChange={(event) => set({ kind: event.currentTarget.value })}
      />
      <NativeSelect
        label={principals.stateFilter}
        data={options({ ...principals.states, protected: principals.protected })}
        value={values.state}
        onChange={(event) => set({ state: event.currentTarget.value })}
      />
    </FilterBar>
  )
}
