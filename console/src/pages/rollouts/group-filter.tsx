import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useTexts } from '../../texts/texts.tsx'

type GroupFilterProps = { value: string; onChange: (groupId: string) => void }

/** Selects a group by its name. The names are read when somebody looks for one, or to show the chosen one. */
export function GroupFilter({ value, onChange }: GroupFilterProps) {
  const { rollouts } = useTexts()
  const [search, setSearch] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [nameContains] = useDebouncedValue(search, 250)
  const { data } = useQuery({
    queryKey: ['groups', 'names', nameContains],
    queryFn: () =>
      answerOf(api.GET('/api/group', { params: { query: { top: 50, ...(nameContains && { nameContains }) } } })),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const chosen = useQuery({
    queryKey: ['groups', 'name', value],
    queryFn: () => answerOf(api.GET('/api/group/{id}', { params: { path: { id: value } } })),
    enabled: value !== '',
  })
  const groups = [...(chosen.data ? [chosen.data] : []), ...(data?.items ?? [])]
  const options = new Map(groups.map(({ id, name }) => [id, { value: id, label: visibleLine(name) }]))
  return (
    <Select
      label={rollouts.filters.group}
      placeholder={rollouts.filters.clearGroup}
      data={[...options.values()]}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      searchable
      clearable
      onSearchChange={setSearch}
      onDropdownOpen={() => setIsOpen(true)}
    />
  )
}
