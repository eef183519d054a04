import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { useTexts } from '../texts/texts.tsx'

/** A group with the names of its ancestors: several groups may have the same name. */
export type ChosenGroup = { id: string; path: string }

type GroupChoiceProps = {
  label: string
  description?: string
  placeholder?: string
  value: string
  onChange: (groupId: string, group: ChosenGroup | undefined) => void
  isRequired?: boolean
  error?: ReactNode
}

const maxOptions = 50

/** Finds a group by parts of its path. The groups are read when somebody looks for one, or to show the chosen one. */
export function GroupChoice({ value, onChange, placeholder, isRequired = false, ...field }: GroupChoiceProps) {
  const { common, groups: texts } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const found = useGroups({ ...(search && { search }) }, isOpen)
  const chosen = useGroups({ groupId: value }, value !== '' && !found?.some(({ id }) => id === value))
  const groups = new Map([...(chosen ?? []), ...(found ?? [])].map((group) => [group.id, group]))
  const options = [...groups.values()].map(({ id, path }) => ({ value: id, label: visibleLine(path) }))
  return (
    <Select
      data-autofocus={isRequired || undefined}
      required={isRequired}
      placeholder={placeholder ?? texts.groupHint}
      data={options}
      value={value || null}
      onChange={(id) => onChange(id ?? '', id === null ? undefined : groups.get(id))}
      searchable
      clearable={!isRequired}
      nothingFoundMessage={common.nothingFound}
      onDropdownOpen={() => setIsOpen(true)}
      // The path of the chosen group is not a search.
      onSearchChange={(text) => setTyped(options.some((option) => option.label === text) ? '' : text)}
      // The service has already filtered the options.
      filter={({ options }) => options}
      {...field}
    />
  )
}

function useGroups(filter: { search?: string; groupId?: string }, enabled: boolean): ChosenGroup[] | undefined {
  const query = { top: maxOptions, ...filter }
  return useQuery({
    queryKey: ['groups', 'choice', filter],
    queryFn: () => answerOf(api.GET('/api/fleet/groups', { params: { query } })),
    enabled,
    placeholderData: keepPreviousData,
  }).data?.items
}
