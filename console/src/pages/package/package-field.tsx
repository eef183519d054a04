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
  suggested: readonly Pick<Package, 'id' | 'name' | 'version' | 'revision'>[]
  /** The package that is replaced: others of its kind are offered. */
  replaced: Pick<Package, 'id' | 'kind'>
}

/** Selects a package by name or version. */
export function PackageField({ label, value, onChange, suggested, replaced }: PackageFieldProps) {
  const { common } = useTexts()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 250)
  const { data } = useQuery({
    queryKey: ['packages', 'field', replaced.kind, search],
    queryFn: () =>
      answerOf(
        api.GET('/api/fleet/packages', {
          params: { query: { top: 30, kind: replaced.kind, ...(search && { search }) } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const known = new Map([...suggested, ...(data?.items ?? [])].map((found) => [found.id, found]))
  known.delete(replaced.id)
  const options = [...known.values()].map(({ id, name, version, revision }) => ({
    value: id,
    label: visibleLine([name, version, revision && `(${revision})`].filter(Boolean).join(' ')),
  }))
  return (
    <Select
      data-autofocus
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
