import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'

export type PickedComputer = { id: number; hostname: string }

type ComputerPickerProps = {
  value: readonly PickedComputer[]
  onChange: (picked: readonly PickedComputer[]) => void
}

// As many as one request may name.
const maxComputers = 500

/** Finds computers by name, serial number, user or address. */
export function ComputerPicker({ value, onChange }: ComputerPickerProps) {
  const { groups } = useTexts()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const { data } = useQuery({
    queryKey: ['computers', 'picker', search],
    queryFn: () =>
      answerOf(api.GET('/api/fleet/computers', { params: { query: { top: 20, ...(search && { search }) } } })),
    placeholderData: keepPreviousData,
  })
  const known = new Map([...value, ...(data?.items ?? [])].map((one) => [String(one.id), one]))
  return (
    <MultiSelect
      data-autofocus
      label={groups.computersToAdd}
      placeholder={groups.memberHint}
      data={[...known].map(([id, { hostname }]) => ({ value: id, label: visibleLine(hostname) }))}
      value={value.map(({ id }) => String(id))}
      onChange={(ids) =>
        onChange(ids.flatMap((id) => known.get(id) ?? []).map(({ id, hostname }) => ({ id, hostname })))
      }
      searchable
      maxValues={maxComputers}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={groups.noComputer}
      // The service has already filtered the options.
      filter={({ options }) => options}
    />
  )
}
