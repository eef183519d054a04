import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'

export type Target = { id: string; name: string }

type GroupSelectProps = { value: Target | undefined; onChange: (group: Target | undefined) => void }

/** Finds a group by its name. */
export function GroupSelect({ value, onChange }: GroupSelectProps) {
  const { computers: texts } = useTexts()
  const [search, setSearch] = useState('')
  const [nameContains] = useDebouncedValue(search, 250)
  const { data } = useQuery({
    queryKey: ['groups', 'choice', nameContains],
    queryFn: () =>
      answerOf(api.GET('/api/group', { params: { query: { top: 50, ...(nameContains && { nameContains }) } } })),
    placeholderData: keepPreviousData,
  })
  const groups = data?.items ?? []
  return (
    <Select
      label={texts.actions.group}
      placeholder={texts.actions.groupHint}
      data={groups.map(({ id, name }) => ({ value: id, label: visibleLine(name) }))}
      value={value?.id ?? null}
      onChange={(id) => onChange(groups.find((group) => group.id === id))}
      searchable
      clearable
      nothingFoundMessage={texts.actions.noGroup}
      onSearchChange={setSearch}
      // The service has already filtered the options.
      filter={({ options }) => options}
      comboboxProps={{ withinPortal: true }}
    />
  )
}
