import { NativeSelect, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { FacetButton, type FacetOption } from './facet-button.tsx'
import { useValueName } from './facet-values.ts'
import { type useListAddress, type ValueFilterName, valueFilters } from './list-address.ts'
import { useFilterValues } from './use-computer-list.ts'
import { fieldOf, useCustomFields } from './use-custom-fields.ts'

type ValueFiltersProps = { list: ReturnType<typeof useListAddress> }

/** Filters by properties with many values: the most frequent ones are offered, and the others are found. */
export function ValueFilters({ list }: ValueFiltersProps) {
  return valueFilters.map((name) =>
    name === 'customField' ? (
      <FieldFilter key={name} list={list} />
    ) : (
      <ValueFilter key={name} name={name} list={list} />
    ),
  )
}

const findDelay = 250

function useOptions(name: ValueFilterName, slot: string | undefined, { address }: ValueFiltersProps['list']) {
  const nameOf = useValueName()
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [find] = useDebouncedValue(typed.trim(), findDelay)
  const values = useFilterValues(address, { property: name, find, ...(slot && { slot }) }, isOpen)
  const counted = (values ?? []).map(({ value, name: label, count }) => ({ value, label: nameOf(name, label), count }))
  return { isOpen, open: () => setIsOpen(true), find: setTyped, counted }
}

/** The chosen values are offered even if no computer has them any more: people remove them there, too. */
function withChosen(counted: readonly FacetOption[], chosen: readonly string[], labelOf: (value: string) => string) {
  const others = chosen.filter((value) => counted.every((option) => option.value !== value))
  return [...counted, ...others.map((value) => ({ value, label: labelOf(value), count: undefined }))]
}

type ValueFilterProps = ValueFiltersProps & { name: Exclude<ValueFilterName, 'customField'> }

function ValueFilter({ name, list }: ValueFilterProps) {
  const { computers: texts } = useTexts()
  const nameOf = useValueName()
  const options = useOptions(name, undefined, list)
  const chosen = list.address.filters[name]
  return (
    <FacetButton
      label={texts.facets[name]}
      options={withChosen(options.counted, chosen, (value) => nameOf(name, value))}
      chosen={chosen}
      onToggle={(value) => list.toggle(name, value)}
      onOpen={options.open}
      onFind={options.find}
    />
  )
}

function FieldFilter({ list }: ValueFiltersProps) {
  const { computers: texts } = useTexts()
  const nameOf = useValueName()
  const chosen = list.address.filters.customField
  const [isOpen, setIsOpen] = useState(false)
  const fields = useCustomFields(isOpen || chosen.length > 0)
  const [asked, setAsked] = useState<string>()
  const slot = asked ?? fields?.[0]?.slot
  const options = useOptions('customField', slot, list)
  const ofField = chosen.filter((value) => value.startsWith(`${slot}=`))
  return (
    <FacetButton
      label={texts.facets.customField}
      options={
        slot ? withChosen(options.counted, ofField, (value) => nameOf('customField', fieldOf(value, fields).value)) : []
      }
      chosen={chosen}
      onToggle={(value) => list.toggle('customField', value)}
      onOpen={() => {
        setIsOpen(true)
        options.open()
      }}
      onFind={options.find}
    >
      {fields?.length === 0 ? (
        <Text size="sm" p={6}>
          {texts.noActiveField}
        </Text>
      ) : (
        <NativeSelect
          size="xs"
          mb="xs"
          aria-label={texts.facets.customField}
          data={(fields ?? []).map((field) => ({ value: field.slot, label: field.designation }))}
          value={slot ?? ''}
          onChange={(event) => setAsked(event.currentTarget.value)}
        />
      )}
    </FacetButton>
  )
}
