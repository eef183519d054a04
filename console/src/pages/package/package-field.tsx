import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Package } from '../../api/packages.ts'
import { useTexts } from '../../texts/texts.tsx'

type PackageFieldProps = {
  label: string
  value: string
  onChange: (packageId: string) => void
  /** Offered first, and known without a search. */
  suggested?: readonly Pick<Package, 'id' | 'name' | 'version' | 'revision'>[]
  /** Packages of this kind are offered. */
  kind: Package['kind']
  /** A package that is not offered. */
  excludedId?: string
  /** Whether it has the focus when its dialog opens, which opens the list as well. */
  isFocused?: boolean
}

/** Selects a package by name or version. */
export function PackageField({
  label,
  value,
  onChange,
  suggested = [],
  kind,
  excludedId = '',
  isFocused = true,
}: PackageFieldProps) {
  const { common } = useTexts()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 250)
  const { data } = useQuery({
    queryKey: ['packages', 'field', kind, search],
    queryFn: () =>
      answerOf(
        api.GET('/api/fleet/packages', {
          params: { query: { top: 30, kind, ...(search && { search }) } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const known = new Map([...suggested, ...(data?.items ?? [])].map((found) => [found.id, found]))
  known.delete(excludedId)
  const options = [...known.values()].map(({ id, name, version, revision }) => ({
    value: id,
    label: visibleLine([name, version, revision && `(${revision})`].filter(Boolean).join(' ')),
  }))
  return (
    <Select
      {...(isFocused && { 'data-autofocus': true })}
      required
      label={label}
      data={options}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      searchable
      nothingFoundMessage={common.nothingFound}
      // The name of a chosen package is not a search.
      onSearchChange={(text) => setTyped(options.some((option) => option.label === text) ? typed : text)}
    />
  )
}
