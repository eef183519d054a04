import { Anchor, Select, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api, type Schemas } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useVariableTexts } from '../../texts/variable-texts.ts'
import { TableSection } from './table-section.tsx'

type Variable = Schemas['FleetVariable']
type Kind = Variable['kind']

/** The variables that are defined, and how much each of them is used. */
export function VariablesTab() {
  const texts = useVariableTexts()
  const { common } = useTexts()
  const filters = useFilters(['search', 'kind'])
  const { search, kind } = filters.values
  const pages = useListPages({
    queryKey: ['variables', 'list', filters.values],
    load: (page) =>
      api.GET('/api/fleet/variables', {
        params: { query: { top: 100, ...page, ...(search && { search }), ...(kind && { kind: kind as Kind }) } },
      }),
  })
  return (
    <TableSection title={texts.tab}>
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
      <FilterBar filters={filters}>
        <SearchField
          label={texts.search}
          placeholder={texts.searchHint}
          value={search}
          onSearch={(text) => filters.set({ search: text })}
        />
        <Select
          label={texts.columns.kind}
          placeholder={common.all}
          data={Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))}
          value={kind || null}
          onChange={(chosen) => filters.set({ kind: chosen ?? '' })}
          clearable
        />
      </FilterBar>
      <DataTable
        caption={texts.tab}
        columns={useColumns()}
        rows={pages.rows}
        rowKey={({ varId }) => varId}
        error={pages.error}
        onRetry={pages.refetch}
        empty={
          filters.areSet
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: texts.emptyTitle, text: texts.emptyText }
        }
        footer={<LoadMore query={pages} />}
      />
    </TableSection>
  )
}

function useColumns(): Column<Variable>[] {
  const texts = useVariableTexts()
  const { columns } = texts
  return [
    {
      id: 'name',
      title: columns.name,
      cell: ({ varId, dottedName, description }) => (
        <div>
          <Anchor component={Link} to={`/variables/${varId}`} size="sm" fw={600} className="breakable">
            {dottedName}
          </Anchor>
          {description && (
            <Text size="xs" c="dimmed" className="breakable">
              {description}
            </Text>
          )}
        </div>
      ),
    },
    { id: 'kind', title: columns.kind, width: 170, cell: ({ kind }) => texts.kinds[kind] },
    {
      id: 'default',
      title: columns.defaultValue,
      width: 200,
      cell: ({ defaultValue, isSecret }) =>
        isSecret ? <StatusBadge kind="neutral">{texts.secret}</StatusBadge> : (defaultValue ?? '–'),
    },
    {
      id: 'uses',
      title: columns.uses,
      width: 300,
      cell: ({ kind, uses }) => (kind === 'Category' ? '–' : texts.uses(uses)),
    },
  ]
}
