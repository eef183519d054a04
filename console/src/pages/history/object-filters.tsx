import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useFleetHistoryTexts } from '../../texts/fleet-history-texts.ts'
import { useTexts } from '../../texts/texts.tsx'

type FilterProps = { value: string; onChange: (id: string) => void }
type Named = { id: string | number; label: string }

const maxOffered = 30

/** Selects a computer by its name. */
export function ComputerFilter(props: FilterProps) {
  const texts = useFleetHistoryTexts()
  return (
    <ObjectFilter
      {...props}
      label={texts.computer}
      kind="computers"
      find={async (search) => {
        const query = { top: maxOffered, ...(search && { search }) }
        const { items } = await answerOf(api.GET('/api/fleet/computers', { params: { query } }))
        return items.map(({ id, hostname }) => ({ id, label: hostname }))
      }}
      get={async (id) => {
        const { hostname } = await answerOf(api.GET('/api/computer/{id}', { params: { path: { id: Number(id) } } }))
        return { id, label: hostname }
      }}
    />
  )
}

/** Selects a package by its name or version. */
export function PackageFilter(props: FilterProps) {
  const texts = useFleetHistoryTexts()
  return (
    <ObjectFilter
      {...props}
      label={texts.package}
      kind="packages"
      find={async (search) => {
        const query = { top: maxOffered, ...(search && { search }) }
        const { items } = await answerOf(api.GET('/api/fleet/packages', { params: { query } }))
        return items.map(({ id, name, version }) => ({ id, label: labelOf(name, version) }))
      }}
      get={async (id) => {
        const { name, version } = await answerOf(api.GET('/api/packages/{id}', { params: { path: { id } } }))
        return { id, label: labelOf(name, version) }
      }}
    />
  )
}

const labelOf = (name: string, version: string | null) => [name, version].filter(Boolean).join(' ')

type ObjectFilterProps = FilterProps & {
  label: string
  kind: string
  find: (search: string) => Promise<Named[]>
  get: (id: string) => Promise<Named>
}

/** The names are read when somebody looks for one, or to show the chosen one. */
function ObjectFilter({ label, kind, value, onChange, find, get }: ObjectFilterProps) {
  const { common } = useTexts()
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [search] = useDebouncedValue(typed, 250)
  const found = useQuery({
    queryKey: [kind, 'filter', search],
    queryFn: () => find(search),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const chosen = useQuery({
    queryKey: [kind, 'filter', 'chosen', value],
    queryFn: () => get(value),
    enabled: value !== '',
  })
  const known = [...(chosen.data ? [chosen.data] : []), ...(found.data ?? [])]
  const options = new Map(
    known.map(({ id, label: name }) => [String(id), { value: String(id), label: visibleLine(name) }]),
  )
  return (
    <Select
      label={label}
      placeholder={common.all}
      data={[...options.values()]}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      searchable
      clearable
      nothingFoundMessage={found.isFetching ? common.loading : common.nothingFound}
      // The name of what is chosen is not a search.
      onSearchChange={(text) => setTyped([...options.values()].some((option) => option.label === text) ? typed : text)}
      onDropdownOpen={() => setIsOpen(true)}
    />
  )
}
