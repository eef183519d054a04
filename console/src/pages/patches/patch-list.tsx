import { Anchor, Box, Select, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useFormat } from '../../texts/format.ts'
import { type PatchTexts, usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Approval } from './approval.tsx'
import classes from './patches.module.css'
import { ages, type FleetPatch, kindOfSeverity, severities } from './severity.ts'

const states = {
  missing: { missing: true },
  unapproved: { missing: true, approved: false },
  approved: { approved: true },
} as const

type State = keyof typeof states
const isState = (name: string): name is State => name in states

/** The patches that match the filters in the address; those that most computers lack come first. */
export function PatchList() {
  const patches = usePatchTexts()
  const { common } = useTexts()
  const format = useFormat()
  const filters = useFilters(['search', 'severity', 'age', 'state'], {
    ...{ severity: severities, age: ages, state: Object.keys(states) },
  })
  const { search, state } = filters.values
  const severity = severities.find((name) => name === filters.values.severity)
  const age = ages.find((name) => name === filters.values.age)
  const query = {
    ...(search && { search }),
    ...(severity && { severity: [severity] }),
    ...(age && { age: [age] }),
    ...(isState(state) && states[state]),
  }
  const pages = useListPages({
    queryKey: ['patches', 'list', query],
    load: (page) => api.GET('/api/fleet/patches', { params: { query: { top: 50, ...query, ...page } } }),
  })
  return (
    <Section
      title={patches.list}
      actions={pages.total !== undefined && <Text size="sm">{patches.listTotal(pages.total)}</Text>}
    >
      <Box mb="sm">
        <PatchFilters filters={filters} />
      </Box>
      <DataTable
        caption={patches.list}
        columns={columnsOf(patches, format)}
        rows={pages.rows}
        rowKey={({ patchId }) => patchId}
        error={pages.error}
        onRetry={pages.refetch}
        empty={
          filters.areSet
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: patches.emptyTitle, text: patches.emptyText }
        }
        footer={<LoadMore query={pages} />}
      />
    </Section>
  )
}

type PatchFiltersProps = { filters: ReturnType<typeof useFilters<'search' | 'severity' | 'age' | 'state'>> }

function PatchFilters({ filters }: PatchFiltersProps) {
  const patches = usePatchTexts()
  const { common } = useTexts()
  const { search, severity, age, state } = filters.values
  return (
    <FilterBar filters={filters}>
      <SearchField
        label={patches.filters.search}
        placeholder={patches.filters.searchHint}
        value={search}
        onSearch={(text) => filters.set({ search: text })}
      />
      <Select
        label={patches.filters.severity}
        placeholder={common.all}
        clearable
        data={severities.map((value) => ({ value, label: patches.severities[value] }))}
        value={severity || null}
        onChange={(value) => filters.set({ severity: value ?? '' })}
      />
      <Select
        label={patches.filters.age}
        placeholder={common.all}
        clearable
        data={ages.map((value) => ({ value, label: patches.ages[value] }))}
        value={age || null}
        onChange={(value) => filters.set({ age: value ?? '' })}
      />
      <Select
        label={patches.filters.state}
        placeholder={common.all}
        clearable
        data={Object.entries(patches.filters.states).map(([value, label]) => ({ value, label }))}
        value={state || null}
        onChange={(value) => filters.set({ state: value ?? '' })}
      />
    </FilterBar>
  )
}

function columnsOf(patches: PatchTexts, format: ReturnType<typeof useFormat>): Column<FleetPatch>[] {
  const { columns } = patches
  const number = (value: number) => <span className={classes.number}>{format.number(value)}</span>
  return [
    {
      id: 'name',
      title: columns.name,
      cell: ({ patchId, patchName, bulletinTitle }) => (
        <>
          <Anchor component={Link} to={`/patches/${patchId}`} size="sm" fw={600}>
            {patchName ?? `#${patchId}`}
          </Anchor>
          {bulletinTitle && (
            <Text size="xs" c="dimmed">
              {bulletinTitle}
            </Text>
          )}
        </>
      ),
    },
    { id: 'number', title: columns.number, cell: ({ qNumber, bulletinId }) => qNumber ?? bulletinId, width: 150 },
    {
      id: 'severity',
      title: columns.severity,
      cell: ({ severity }) => <StatusBadge kind={kindOfSeverity[severity]}>{patches.severities[severity]}</StatusBadge>,
      width: 120,
    },
    {
      id: 'released',
      title: columns.released,
      cell: ({ releaseDate }) => releaseDate && format.date(releaseDate),
      width: 130,
    },
    { id: 'missing', title: columns.missing, cell: ({ missing }) => number(missing), width: 90 },
    { id: 'installed', title: columns.installed, cell: ({ installed }) => number(installed), width: 100 },
    { id: 'approval', title: columns.approval, cell: (patch) => <Approval patch={patch} />, width: 170 },
  ]
}
