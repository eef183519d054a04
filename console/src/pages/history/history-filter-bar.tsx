import { Group, Select } from '@mantine/core'
import { DateTimeField } from '../../components/date-time-field.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import type { Filters } from '../../components/use-filters.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useComputerHistoryTexts } from '../../texts/computer-history-texts.ts'
import { useFleetHistoryTexts } from '../../texts/fleet-history-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { GroupFilter } from '../rollouts/group-filter.tsx'
import { ComputerFilter, PackageFilter } from './object-filters.tsx'

export const historyFilters = ['mode', 'result', 'computer', 'group', 'package', 'after', 'before'] as const

type Name = (typeof historyFilters)[number]

export type HistoryFilterValues = Record<Name, string>

/** By what was done, on what, and when. */
export function HistoryFilterBar({ filters }: { filters: Filters<Name> }) {
  const texts = useFleetHistoryTexts()
  const { columns, modes, results } = useComputerHistoryTexts()
  const { common } = useTexts()
  const mayReadGroups = useHasRole('group.read')
  const mayReadPackages = useHasRole('package.read')
  const { values, set } = filters
  return (
    <FilterBar filters={filters}>
      <Select
        label={columns.mode}
        placeholder={common.all}
        data={toOptions(modes)}
        value={values.mode || null}
        onChange={(mode) => set({ mode: mode ?? '' })}
        clearable
        w={160}
      />
      <Select
        label={columns.result}
        placeholder={common.all}
        data={toOptions(results)}
        value={values.result || null}
        onChange={(result) => set({ result: result ?? '' })}
        clearable
        w={150}
      />
      <ComputerFilter value={values.computer} onChange={(computer) => set({ computer })} />
      {mayReadGroups && <GroupFilter value={values.group} onChange={(group) => set({ group })} />}
      {mayReadPackages && <PackageFilter value={values.package} onChange={(id) => set({ package: id })} />}
      <Group gap="sm">
        <DateTimeField
          label={texts.after}
          withZone={false}
          value={values.after || null}
          onChange={(after) => set({ after: after ?? '' })}
        />
        <DateTimeField
          label={texts.before}
          withZone={false}
          value={values.before || null}
          onChange={(before) => set({ before: before ?? '' })}
        />
      </Group>
    </FilterBar>
  )
}

const toOptions = (texts: Record<string, string>) => Object.entries(texts).map(([value, label]) => ({ value, label }))
