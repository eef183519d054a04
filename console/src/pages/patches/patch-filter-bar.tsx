import { Select } from '@mantine/core'
import { FilterBar } from '../../components/filter-bar.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ages, severities } from './severity.ts'
import type { PatchFilters } from './use-patch-filters.ts'

export function PatchFilterBar({ filters }: { filters: PatchFilters }) {
  const patches = usePatchTexts()
  const { common } = useTexts()
  const { search, severity, age, state } = filters.values
  return (
    <FilterBar filters={filters}>
      <SearchField
        label={patches.filters.search}
        placeholder={patches.filters.searchHint}
        value={search}
        onSearch={(text) => filters.set({ search: text })}
      />
      <Select
        label={patches.filters.severity}
        placeholder={common.all}
        clearable
        data={severities.map((value) => ({ value, label: patches.severities[value] }))}
        value={severity || null}
        onChange={(value) => filters.set({ severity: value ?? '' })}
      />
      <Select
        label={patches.filters.age}
        placeholder={common.all}
        clearable
        data={ages.map((value) => ({ value, label: patches.ages[value] }))}
        value={age || null}
        onChange={(value) => filters.set({ age: value ?? '' })}
      />
      <Select
        label={patches.filters.state}
        placeholder={common.all}
        clearable
        data={Object.entries(patches.filters.states).map(([value, label]) => ({ value, label }))}
        value={state || null}
        onChange={(value) => filters.set({ state: value ?? '' })}
      />
    </FilterBar>
  )
}
