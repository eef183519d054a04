import { Select } from '@mantine/core'
import { FilterBar } from '../../components/filter-bar.tsx'
import { SearchField } from '../../components/search-field.tsx'
import type { Filters } from '../../components/use-filters.ts'
import { useTexts } from '../../texts/texts.tsx'

export const packageFilters = ['search', 'operational', 'hashState', 'kind', 'failing'] as const

type PackageFilters = Filters<(typeof packageFilters)[number]>

export function PackageFilterBar({ filters }: { filters: PackageFilters }) {
  const { packages } = useTexts()
  const { values, set } = filters
  const toOptions = (texts: Record<string, string>) => Object.entries(texts).map(([value, label]) => ({ value, label }))
  const choices = [
    {
      name: 'operational',
      label: packages.release,
      options: toOptions({ true: packages.released, false: packages.notReleased }),
    },
    { name: 'hashState', label: packages.hash, options: toOptions(packages.hashStates) },
    { name: 'kind', label: packages.kind, options: toOptions(packages.kinds) },
    {
      name: 'failing',
      label: packages.result,
      options: toOptions({ true: packages.failingOnly, false: packages.notFailing }),
    },
  ] as const
  return (
    <FilterBar filters={filters}>
      <SearchField
        label={packages.search}
        placeholder={packages.searchHint}
        value={values.search}
        onSearch={(search) => set({ search })}
      />
      {choices.map(({ name, label, options }) => (
        <Choice
          key={name}
          label={label}
          options={options}
          value={values[name]}
          onChoose={(value) => set({ [name]: value })}
        />
      ))}
    </FilterBar>
  )
}

type ChoiceProps = {
  label: string
  options: { value: string; label: string }[]
  value: string
  onChoose: (value: string) => void
}

function Choice({ label, options, value, onChoose }: ChoiceProps) {
  const { common } = useTexts()
  return (
    <Select
      label={label}
      placeholder={common.all}
      data={options}
      value={value || null}
      onChange={(chosen) => onChoose(chosen ?? '')}
      clearable
      w={170}
    />
  )
}
