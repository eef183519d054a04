import { Button, Group, Pill } from '@mantine/core'
import { memo, useState } from 'react'
import { SearchField } from '../../components/search-field.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { FacetButton, type FacetOption } from './facet-button.tsx'
import { useValueName } from './facet-values.ts'
import {
  type FacetName,
  type FilterName,
  facetNames,
  type Schemas,
  softwareNames,
  type useListAddress,
} from './list-address.ts'
import { useFacets, useGroupCounts } from './use-computer-list.ts'
import { fieldOf, useCustomFields } from './use-custom-fields.ts'
import { ValueFilters } from './value-filters.tsx'

type FiltersProps = { list: ReturnType<typeof useListAddress> }

/** Search and facets. What is chosen is shown below them, and removed there too. */
export const Filters = memo(function Filters({ list }: FiltersProps) {
  const { computers: texts } = useTexts()
  const { address, setSearch, toggle } = list
  const facets = useFacets(address)
  const [areGroupsOpen, setAreGroupsOpen] = useState(false)
  const groups = useGroupCounts(address, areGroupsOpen || address.filters.groupId.length > 0)
  return (
    <search>
      <Group gap={6} align="flex-end">
        <SearchField label={texts.search} placeholder={texts.searchHint} value={address.search} onSearch={setSearch} />

        {facetNames.map((name) => (
          <FacetOfName key={name} name={name} facets={facets} chosen={address.filters[name]} toggle={toggle} />
        ))}
        <FacetButton
          label={texts.groupFilter}
          options={groupOptions(groups ?? [], address.filters.groupId)}
          chosen={address.filters.groupId}
          onToggle={(value) => toggle('groupId', value)}
          onOpen={() => setAreGroupsOpen(true)}
        />
        <ValueFilters list={list} />
      </Group>
      <Chosen list={list} groups={groups ?? []} />
    </search>
  )
})

type FacetOfNameProps = {
  name: FacetName
  facets: Schemas['ComputerFacets'] | undefined
  chosen: readonly string[]
  toggle: (name: FilterName, value: string) => void
}

function FacetOfName({ name, facets, chosen, toggle }: FacetOfNameProps) {
  const { computers: texts } = useTexts()
  const nameOf = useValueName()
  const counted = (facets?.[name] ?? []).map(({ value, count }) => ({ value: value ?? '', count }))
  const others = chosen.filter((value) => counted.every((option) => option.value !== value))
  const options: FacetOption[] = [
    ...counted.map(({ value, count }) => ({ value, count, label: nameOf(name, value) })),
    ...others.map((value) => ({ value, count: facets ? 0 : undefined, label: nameOf(name, value) })),
  ]
  return (
    <FacetButton
      label={texts.facets[name]}
      options={options}
      chosen={chosen}
      onToggle={(value) => toggle(name, value)}
    />
  )
}

function groupOptions(groups: readonly Schemas['GroupCount'][], chosen: readonly string[]): FacetOption[] {
  const counted = groups.map(({ groupId, path, count }) => ({ value: groupId, label: path, count }))
  const others = chosen.filter((id) => counted.every(({ value }) => value !== id))
  return [...counted, ...others.map((id) => ({ value: id, label: id, count: undefined }))]
}

type ChosenProps = FiltersProps & { groups: readonly Schemas['GroupCount'][] }

function Chosen({ list: { address, toggle, clear, clearSoftware }, groups }: ChosenProps) {
  const { common, computers: texts } = useTexts()
  const nameOf = useValueName()
  const fields = useCustomFields(address.filters.customField.length > 0)
  const chosen = Object.entries(address.filters).flatMap(([name, values]) =>
    values.map((value) => ({ name: name as FilterName, value })),
  )
  if (!address.hasFilters) return null
  const software = softwareNames
    .flatMap((name) => {
      const value = address.software[name]
      return value === undefined ? [] : [texts.software[name](value)]
    })
    .join(' ')
  const labelOf = (name: FilterName, value: string) => {
    if (name === 'customField') return fieldOf(value, fields).designation
    return name === 'groupId' ? texts.groupFilter : texts.facets[name]
  }
  const textOf = (name: FilterName, value: string) => {
    if (name === 'customField') return nameOf(name, fieldOf(value, fields).value)
    return name === 'groupId' ? (groups.find(({ groupId }) => groupId === value)?.path ?? value) : nameOf(name, value)
  }
  return (
    <Group gap={6} mt="xs">
      {software !== '' && (
        <Pill
          withRemoveButton
          onRemove={clearSoftware}
          removeButtonProps={{
            'aria-label': texts.removeFilter(texts.software.filter, software),
            tabIndex: 0,
            'aria-hidden': false,
          }}
        >
          {texts.software.filter}: {software}
        </Pill>
      )}
      {chosen.map(({ name, value }) => (
        <Pill
          key={`${name} ${value}`}
          withRemoveButton
          onRemove={() => toggle(name, value)}
          removeButtonProps={{
            'aria-label': texts.removeFilter(labelOf(name, value), textOf(name, value)),
            tabIndex: 0,
            'aria-hidden': false,
          }}
        >
          {labelOf(name, value)}: {textOf(name, value)}
        </Pill>
      ))}
      <Button variant="subtle" size="compact-xs" onClick={clear}>
        {common.clearFilters}
      </Button>
    </Group>
  )
}
