import { Select } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/texts.tsx'

export type PickedGroup = { id: string; path: string }

type GroupPathSelectProps = {
  label: string
  description?: string
  value: PickedGroup | undefined
  onChange: (group: PickedGroup | undefined) => void
  required?: boolean
}

// Longer lists are not read by people, who find the others by typing a part of the path.
const maxOptions = 100

/** Finds a group of either tree by a part of its path: several groups may have one name. */
export function GroupPathSelect({ label, description, value, onChange, required = false }: GroupPathSelectProps) {
  const { computers, common } = useTexts()
  const { compare } = useFormat()
  // The same answer as that of the page of the groups.
  const { data } = useQuery({
    queryKey: ['groups', 'tree'],
    queryFn: () => answerOf(api.GET('/api/fleet/group-tree')),
  })
  const options = useMemo(() => {
    const paths = [...listPaths(data ?? [])].map(([id, path]) => ({ value: id, label: visibleLine(path), path }))
    return paths.sort((a, b) => compare(a.label, b.label))
  }, [data, compare])
  const choose = (id: string | null) => {
    const chosen = options.find((option) => option.value === id)
    onChange(chosen && { id: chosen.value, path: chosen.path })
  }
  return (
    <Select
      data-autofocus
      label={label}
      {...(description && { description })}
      required={required}
      placeholder={computers.actions.groupHint}
      data={options}
      value={value?.id ?? null}
      onChange={choose}
      searchable
      clearable={!required}
      limit={maxOptions}
      nothingFoundMessage={data ? computers.actions.noGroup : common.loading}
    />
  )
}

/** A group comes after its parent. */
function listPaths(groups: readonly Schemas['TreeGroup'][]): Map<string, string> {
  const paths = new Map<string, string>()
  for (const { id, name, parentId } of groups) {
    const above = parentId === null ? undefined : paths.get(parentId)
    paths.set(id, above === undefined ? name : `${above}/${name}`)
  }
  return paths
}
