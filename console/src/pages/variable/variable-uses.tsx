import { Anchor, Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { useVariableTexts } from '../../texts/variable-texts.ts'

type UsesProps = { varId: number }
type Value = { value: string | null; isSecret: boolean; schedule: string | null; collectionId?: number | null }

const pageSize = 50
const keyOf = (varId: number, what: string) => ['variables', varId, what] as const

export function PackagesWithVariable({ varId }: UsesProps) {
  const texts = useVariableTexts()
  const { packages } = useTexts()
  const pages = useListPages({
    queryKey: keyOf(varId, 'packages'),
    load: (page) =>
      api.GET('/api/variable-definitions/{varId}/packages', {
        params: { path: { varId }, query: { top: pageSize, ...page } },
      }),
  })
  return (
    <Uses
      title={texts.packages}
      hint={texts.packagesHint}
      empty={texts.noPackages}
      pages={pages}
      rowKey={({ id, use }) => `${id} ${use}`}
      columns={[
        {
          id: 'package',
          title: texts.columns.package,
          cell: ({ id, name, version }) => (
            <UserLink to={`/packages/${id}`}>{[name, version].filter(Boolean).join(' ')}</UserLink>
          ),
        },
        { id: 'kind', title: texts.columns.kind, width: 180, cell: ({ kind }) => packages.kinds[kind] },
        { id: 'use', title: texts.columns.use, width: 260, cell: ({ use }) => texts.useKinds[use] },
        {
          id: 'value',
          title: texts.columns.value,
          cell: ({ value }) => (value === null ? '–' : <ValueText value={value} />),
        },
      ]}
    />
  )
}

export function GroupsWithValue({ varId }: UsesProps) {
  const texts = useVariableTexts()
  const pages = useListPages({
    queryKey: keyOf(varId, 'groups'),
    load: (page) =>
      api.GET('/api/variable-definitions/{varId}/groups', {
        params: { path: { varId }, query: { top: pageSize, ...page } },
      }),
  })
  return (
    <Uses
      title={texts.groups}
      empty={texts.noGroups}
      pages={pages}
      rowKey={({ id, collectionId }) => `${id} ${collectionId}`}
      columns={[
        {
          id: 'group',
          title: texts.columns.group,
          cell: ({ id, path }) => <UserLink to={`/groups/${id}/variables`}>{path}</UserLink>,
        },
        ...useValueColumns(),
        {
          id: 'forced',
          title: texts.columns.forced,
          width: 140,
          cell: ({ forced }) => (forced ? <StatusBadge kind="warning">{texts.forced}</StatusBadge> : '–'),
        },
      ]}
    />
  )
}

export function ConfigurationsWithValue({ varId }: UsesProps) {
  const texts = useVariableTexts()
  const pages = useListPages({
    queryKey: keyOf(varId, 'configurations'),
    load: (page) =>
      api.GET('/api/variable-definitions/{varId}/variable-configurations', {
        params: { path: { varId }, query: { top: pageSize, ...page } },
      }),
  })
  return (
    <Uses
      title={texts.configurations}
      empty={texts.noConfigurations}
      pages={pages}
      rowKey={({ id }) => id}
      columns={[
        { id: 'name', title: texts.columns.configuration, cell: ({ name }) => name },
        ...useValueColumns(),
        { id: 'description', title: texts.columns.description, cell: ({ description }) => description ?? '–' },
      ]}
    />
  )
}

export function ComputersWithValue({ varId }: UsesProps) {
  const texts = useVariableTexts()
  const pages = useListPages({
    queryKey: keyOf(varId, 'computers'),
    load: (page) =>
      api.GET('/api/variable-definitions/{varId}/computers', {
        params: { path: { varId }, query: { top: pageSize, ...page } },
      }),
  })
  return (
    <Uses
      title={texts.computers}
      empty={texts.noComputers}
      pages={pages}
      rowKey={({ id, collectionId }) => `${id} ${collectionId}`}
      columns={[
        {
          id: 'computer',
          title: texts.columns.computer,
          cell: ({ id, hostname }) => <UserLink to={`/computers/${id}/variables`}>{hostname}</UserLink>,
        },
        { id: 'domain', title: texts.columns.domain, width: 200, cell: ({ domain }) => domain ?? '–' },
        ...useValueColumns(),
      ]}
    />
  )
}

function useValueColumns(): Column<Value>[] {
  const texts = useVariableTexts()
  const { columns } = texts
  return [
    {
      id: 'value',
      title: columns.value,
      cell: ({ value, isSecret, collectionId }) => {
        if (isSecret) return <StatusBadge kind="neutral">{texts.secret}</StatusBadge>
        if (value === null) return collectionId ? texts.entry(collectionId) : '–'
        return <ValueText value={value} />
      },
    },
    { id: 'schedule', title: columns.schedule, width: 200, cell: ({ schedule }) => <Schedule schedule={schedule} /> },
  ]
}

/** An earlier version has stored notes that are no times. */
function Schedule({ schedule }: { schedule: string | null }) {
  return schedule === null || Number.isNaN(Date.parse(schedule)) ? (schedule ?? '–') : <Moment at={schedule} />
}

const ValueText = ({ value }: { value: string }) => <Code className="breakable">{value}</Code>

function UserLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} size="sm" fw={600} className="breakable">
      {children}
    </Anchor>
  )
}

type UsesTableProps<Row> = {
  title: string
  hint?: string
  empty: string
  pages: ReturnType<typeof useListPages> & { rows: Row[] | undefined }
  rowKey: (row: Row) => string | number
  columns: readonly Column<Row>[]
}

function Uses<Row>({ title, hint, empty, pages, rowKey, columns }: UsesTableProps<Row>) {
  return (
    <TitledTable title={title} {...(hint && { hint })}>
      {pages.rows?.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <DataTable
          caption={title}
          columns={columns}
          rows={pages.rows}
          rowKey={rowKey}
          error={pages.error}
          onRetry={pages.refetch}
          empty={{ title: empty, text: '' }}
          footer={<LoadMore query={pages} />}
        />
      )}
    </TitledTable>
  )
}
