import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { useTexts } from '../texts/texts.tsx'

export type PickedPackage = { id: string; name: string }

type PackagePickerProps = { value: PickedPackage | undefined; onChange: (picked: PickedPackage | undefined) => void }

/** Finds a package by its name. The service searches, so it does not matter how many there are. */
export function PackagePicker({ value, onChange }: PackagePickerProps) {
  const { groups } = useTexts()
  const [search, setSearch] = useState('')
  const [name] = useDebouncedValue(search, 200)
  const { data } = useQuery({
    queryKey: ['packages', 'search', name],
    queryFn: () =>
      answerOf(
        api.POST('/api/packages/search', {
          params: { query: { top: 50 } },
          body: { kind: 'Software', ...(name && { name }) },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const found = (data?.items ?? []).map(({ id, name, version, operational }) => ({
    value: id,
    label: visibleLine([name, version, !operational && `(${groups.notReleased})`].filter(Boolean).join(' ')),
  }))
  const options =
    value && !found.some((one) => one.value === value.id)
      ? [{ value: value.id, label: visibleLine(value.name) }, ...found]
      : found
  return (
    <Select
      data-autofocus
      label={groups.package}
      placeholder={groups.packageHint}
      data={options}
      value={value?.id ?? null}
      onChange={(_, option) => onChange(option ? { id: option.value, name: option.label } : undefined)}
      searchable
      nothingFoundMessage={groups.noPackage}
      onSearchChange={(text) => setSearch(text === value?.name ? '' : text)}
      // The service has already filtered the options.
      filter={({ options: all }) => all}
    />
  )
}
