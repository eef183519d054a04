import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { GroupPageData } from '../group-queries.ts'
import classes from '../groups-page.module.css'

type Subgroup = GroupPageData['subgroups'][number]

/** The groups directly below. */
export function SubgroupsTab({ page, query }: { page: GroupPageData; query: string }) {
  const { groups } = useTexts()
  const format = useFormat()
  const { columns } = groups
  const number = (value: number) => <span className={classes.number}>{format.number(value)}</span>
  const shown: Column<Subgroup>[] = [
    {
      id: 'name',
      title: columns.name,
      cell: ({ id, name }) => (
        <Anchor component={Link} to={`/groups/${id}${query}`} size="sm">
          {name}
        </Anchor>
      ),
    },
    { id: 'description', title: groups.description, cell: ({ description }) => description ?? '–' },
    { id: 'members', title: groups.members, width: 120, cell: ({ members }) => number(members) },
    { id: 'computers', title: groups.computers, width: 120, cell: ({ computers }) => number(computers) },
  ]
  return (
    <DataTable
      caption={groups.tabs.subgroups}
      columns={shown}
      rows={page.subgroups}
      rowKey={({ id }) => id}
      error={undefined}
      onRetry={() => undefined}
      empty={{ title: groups.noSubgroups, text: groups.noSubgroupsHint }}
    />
  )
}
