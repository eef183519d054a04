import { Select } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { useMemo } from 'react'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { TreeGroup } from '../group-queries.ts'
import { pathOf } from '../tree/forest.ts'
import { useForest } from '../tree/forest-context.ts'

type GroupPickerProps = {
  label: string
  groups: readonly TreeGroup[]
  value: string | null
  onChange: (id: string | null) => void
}

// Longer lists are not read by people, who find the others by typing a part of the name.
const maxOptions = 100

/** Finds a group by a part of its path. */
export function GroupPicker({ label, groups, value, onChange }: GroupPickerProps) {
  const texts = useTexts()
  const { compare } = useFormat()
  const forest = useForest()
  const options = useMemo(() => {
    if (!forest) return []
    const paths = groups.map(({ id }) => ({ value: id, label: visibleLine(pathOf(forest, id)) }))
    return paths.sort((a, b) => compare(a.label, b.label))
  }, [forest, groups, compare])
  return (
    <Select
      data-autofocus
      label={label}
      placeholder={texts.groups.groupHint}
      data={options}
      value={value}
      onChange={onChange}
      searchable
      limit={maxOptions}
      nothingFoundMessage={texts.common.nothingFound}
    />
  )
}
