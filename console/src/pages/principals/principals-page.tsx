import { Anchor, Badge, Button, Code, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type PrincipalRow, principalPath, usePrincipals } from '../../api/principal-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IconPlus } from '../../components/icons.ts'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { PrincipalBadges } from '../../components/principal-badges.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { type Filters, useFilters } from '../../components/use-filters.ts'
import { useSession } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { PrincipalFilterBar } from './principal-filter-bar.tsx'
import { type PrincipalFilters, sortOf, visibleRows } from './visible-rows.ts'

const pageSize = 25

export function PrincipalsPage() {
  const texts = useTexts()
  const format = useFormat()
  const principals = usePrincipals()
  const filters = useFilters(['search', 'kind', 'state', 'sort'], {
    kind: Object.keys(texts.principals.kinds),
    state: [...Object.keys(texts.principals.states), 'protected'],
  })
  const columns = useColumns()
  const found = principals.rows && visibleRows(principals.rows, filters.values, format.compare)
  return (
    <Page
      title={texts.principals.title}
      intro={texts.principals.intro}
      actions={
        <>
          <RefreshButton {...principals} />
          <Button component={Link} to="/admin/principals/new" leftSection={<IconPlus size={16} aria-hidden />}>
            {texts.principals.create}
          </Button>
        </>
      }
    >
      <PrincipalFilterBar filters={filters} />
      <DataTable
        caption={texts.principals.title}
        columns={columns}
        rows={found?.slice(filters.skip, filters.skip + pageSize)}
        rowKey={({ id }) => id}
        error={principals.error}
        onRetry={principals.refetch}
        sorting={sortingBy(filters)}
        empty={
          principals.rows?.length
            ? { title: texts.common.nothingFound, text: texts.common.nothingFoundHint }
            : { title: texts.principals.emptyTitle, text: texts.principals.emptyText }
        }
        footer={<Pager skip={filters.skip} top={pageSize} total={found?.length ?? 0} onSkip={filters.setSkip} />}
      />
    </Page>
  )
}

function sortingBy({ values, set }: Filters<keyof PrincipalFilters>) {
  const sorted = sortOf(values.sort)
  return {
    ...sorted,
    sortBy: (column: string) => set({ sort: column === sorted.column && !sorted.isDescending ? `-${column}` : column }),
  }
}

function useColumns(): Column<PrincipalRow>[] {
  const texts = useTexts()
  const { columns, kinds } = texts.principals
  return [
    { id: 'name', title: columns.name, isSortable: true, cell: (row) => <NameCell row={row} /> },
    { id: 'kind', title: columns.kind, width: 90, isSortable: true, cell: ({ kind }) => kinds[kind] },
    {
      id: 'identifier',
      title: columns.identifier,
      width: 190,
      isSortable: true,
      cell: ({ identifier, issuer }) => (
        <div>
          <Code>{identifier}</Code>
          {issuer && (
            <Text size="xs" c="dimmed">
              {issuer}
            </Text>
          )}
        </div>
      ),
    },
    {
      id: 'roles',
      title: columns.roles,
      width: 150,
      isSortable: true,
      cell: ({ roles }) => <RolesCell roles={roles} />,
    },
    { id: 'state', title: columns.state, width: 130, isSortable: true, cell: (row) => <PrincipalBadges {...row} /> },
    {
      id: 'expires',
      title: columns.expires,
      width: 130,
      isSortable: true,
      cell: ({ expiresAtUtc }) => (expiresAtUtc ? <Moment at={expiresAtUtc} /> : texts.common.never),
    },
    {
      id: 'lastUsed',
      title: columns.lastUsed,
      width: 130,
      isSortable: true,
      cell: ({ lastUsedUtc }) => (lastUsedUtc ? <Moment at={lastUsedUtc} /> : texts.common.never),
    },
  ]
}

function NameCell({ row }: { row: PrincipalRow }) {
  const { principals } = useTexts()
  const { principal } = useSession()
  return (
    <Group gap={6}>
      <Anchor component={Link} to={principalPath(row)} size="sm" fw={600}>
        {row.name || principals.nameless}
      </Anchor>
      {row.id === principal.id && <Badge color="gray">{principals.you}</Badge>}
    </Group>
  )
}

const shownRoles = 3

function RolesCell({ roles }: { roles: string[] }) {
  const { common, principals } = useTexts()
  if (roles.length === 0) return <Text size="sm">{common.none}</Text>
  const text = roles.length > shownRoles ? principals.roleCount(roles.length) : roles.join(', ')
  return (
    <Text size="sm" title={roles.join(', ')}>
      {text}
    </Text>
  )
}
