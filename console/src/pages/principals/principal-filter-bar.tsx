import { NativeSelect, TextInput } from '@mantine/core'
import { FilterBar } from '../../components/filter-bar.tsx'
import { IconSearch } from '../../components/icons.ts'
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
      <TextInput
        type="search"
        label={principals.search}
        placeholder={principals.searchHint}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={values.search}
        onChange={(event) => set({ search: event.currentTarget.value })}
        miw={{ base: '100%', xs: 280 }}
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
