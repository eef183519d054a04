import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { TableMenu, useRowPages, useTableLayout, VirtualTable } from '../../components/virtual-table.tsx'
import { useLive } from '../../live/use-live.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useVulnerabilityTexts } from '../../texts/vulnerability-texts.ts'
import { FleetExceptions } from './fleet-exceptions.tsx'
import { type Vulnerability, vulnerabilitySeverities } from './severity-badge.tsx'
import { useVulnerabilityColumns } from './vulnerability-columns.tsx'

type Source = Schemas['VulnerabilitySource']
type Filters = ReturnType<typeof useVulnerabilityFilters>['filters']

const states: readonly Vulnerability['state'][] = ['Open', 'Excepted', 'Fixed']
const answers = ['yes', 'no'] as const

/** The vulnerabilities of the fleet, and what was imported. */
export function VulnerabilitiesPage() {
  const texts = useVulnerabilityTexts()
  useLive({ types: ['muster.vulnerability.*'], refreshes: [['vulnerabilities']] })
  return (
    <Page title={texts.title} intro={texts.intro}>
      <VulnerabilityList />
      <FleetExceptions />
      <Sources />
    </Page>
  )
}

function useVulnerabilityFilters() {
  const filters = useFilters(['search', 'severity', 'exploited', 'fix', 'state'], {
    ...{ severity: vulnerabilitySeverities, exploited: answers, fix: answers, state: states },
  })
  const { search, exploited, fix } = filters.values
  const severity = vulnerabilitySeverities.find((name) => name === filters.values.severity)
  const state = states.find((name) => name === filters.values.state)
  const query = {
    ...(search && { search }),
    ...(severity && { severity: [severity] }),
    ...(exploited && { isKnownExploited: exploited === 'yes' }),
    ...(fix && { hasFix: fix === 'yes' }),
    ...(state && { state }),
  }
  return { filters, query }
}

function VulnerabilityList() {
  const texts = useVulnerabilityTexts()
  const { common } = useTexts()
  const { filters, query } = useVulnerabilityFilters()
  const pages = useRowPages<Vulnerability, Schemas['PagedResultOfFleetVulnerability']>({
    queryKey: ['vulnerabilities', 'list', query],
    read: (position, signal) =>
      api.GET('/api/vulnerabilities', { params: { query: { ...query, ...position } }, ...(signal && { signal }) }),
  })
  const layout = useTableLayout('vulnerabilities')
  const columns = useVulnerabilityColumns()
  return (
    <TitledTable
      title={texts.list}
      actions={
        <>
          {pages.rowCount !== undefined && <Text size="sm">{texts.total(pages.rowCount)}</Text>}
          <TableMenu columns={columns} layout={layout} />
        </>
      }
    >
      <VulnerabilityFilterBar filters={filters} />
      <VirtualTable
        caption={texts.list}
        columns={columns}
        layout={layout}
        pages={pages}
        rowId={({ key }) => key}
        rowName={({ key }) => key}
        rowAddress={({ key }) => `/vulnerabilities/${encodeURIComponent(key)}`}
        empty={
          filters.areSet
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: texts.emptyTitle, text: texts.emptyText }
        }
      />
    </TitledTable>
  )
}

function VulnerabilityFilterBar({ filters }: { filters: Filters }) {
  const texts = useVulnerabilityTexts()
  const { common } = useTexts()
  const { search, severity, exploited, fix, state } = filters.values
  const choice = (
    label: string,
    value: string,
    data: { value: string; label: string }[],
    name: 'severity' | 'exploited' | 'fix' | 'state',
  ) => (
    <Select
      label={label}
      placeholder={common.all}
      clearable
      data={data}
      value={value || null}
      onChange={(chosen) => filters.set({ [name]: chosen ?? '' })}
    />
  )
  const named = (values: readonly string[], labels: Record<string, string>) =>
    values.map((value) => ({ value, label: labels[value] ?? value }))
  return (
    <FilterBar filters={filters}>
      <SearchField
        label={texts.filters.search}
        placeholder={texts.filters.searchHint}
        value={search}
        onSearch={(text) => filters.set({ search: text })}
      />
      {choice(texts.filters.severity, severity, named(vulnerabilitySeverities, texts.severities), 'severity')}
      {choice(texts.filters.exploited, exploited, named(answers, texts.filters.exploitedValues), 'exploited')}
      {choice(texts.filters.fix, fix, named(answers, texts.filters.fixValues), 'fix')}
      {choice(texts.filters.state, state, named(states, texts.states), 'state')}
    </FilterBar>
  )
}

/** Advisories that are old miss what was published since. */
function Sources() {
  const texts = useVulnerabilityTexts()
  const format = useFormat()
  const { sourceColumns } = texts
  const { data, error, refetch } = useQuery({
    queryKey: ['vulnerabilities', 'sources'],
    queryFn: () => answerOf(api.GET('/api/vulnerabilities/sources')),
  })
  const columns: Column<Source>[] = [
    { id: 'name', title: sourceColumns.name, cell: ({ name }) => name },
    { id: 'format', title: sourceColumns.format, cell: (source) => source.format, width: 150 },
    {
      id: 'imported',
      title: sourceColumns.imported,
      cell: ({ importedUtc }) => importedUtc && <Moment at={importedUtc} />,
      width: 180,
    },
    {
      id: 'vulnerabilities',
      title: sourceColumns.vulnerabilities,
      cell: ({ vulnerabilities }) => format.number(vulnerabilities),
      width: 140,
      isAtEnd: true,
    },
    {
      id: 'ranges',
      title: sourceColumns.ranges,
      cell: ({ ranges }) => format.number(ranges),
      width: 160,
      isAtEnd: true,
    },
  ]
  return (
    <TitledTable title={texts.sources}>
      <DataTable
        caption={texts.sources}
        columns={columns}
        rows={data}
        rowKey={({ name }) => name}
        error={error}
        onRetry={refetch}
        empty={{ title: texts.noSources, text: texts.noSourcesHint }}
      />
    </TitledTable>
  )
}
