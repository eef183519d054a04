import { Anchor, Code } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Pager } from '../../components/pager.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useAboutTexts } from '../../texts/about-texts.ts'

type DuplicateName = Schemas['DuplicateName']

const pageSize = 20

const pageOf = ({ kind, id }: DuplicateName): string | undefined => {
  if (kind === 'Computer') return `/computers/${id}`
  if (kind === 'Group') return `/groups/${id}`
  return kind === 'Package' ? `/packages/${id}` : undefined
}

/** Names from before they had one form. Nothing, if there are none or the session may not see them. */
export function DuplicateNames() {
  const texts = useAboutTexts().duplicateNames
  const [skip, setSkip] = useState(0)
  const query = { skip, top: pageSize }
  const list = useQuery({
    queryKey: ['duplicate-names', query],
    queryFn: () => answerOf(api.GET('/api/fleet/duplicate-names', { params: { query } })),
    placeholderData: keepPreviousData,
    enabled: useHasRole('admin.manage'),
  })
  const total = list.data?.totalCount ?? 0
  if (total === 0) return null
  const columns: Column<DuplicateName>[] = [
    { id: 'kind', title: texts.kind, width: 200, cell: ({ kind }) => texts.kinds[kind] },
    {
      id: 'name',
      title: texts.name,
      cell: (row) => {
        const to = pageOf(row)
        if (!to) return row.shownName
        return (
          <Anchor component={Link} to={to} size="sm">
            {row.shownName}
          </Anchor>
        )
      },
    },
    { id: 'stored', title: texts.stored, cell: ({ name }) => <Code>{JSON.stringify(name)}</Code> },
    { id: 'place', title: texts.place, cell: ({ place }) => place ?? '–' },
  ]
  return (
    <TitledTable title={texts.title} hint={texts.intro}>
      <DataTable
        caption={texts.title}
        columns={columns}
        rows={list.data?.items}
        rowKey={({ kind, id }) => `${kind} ${id}`}
        error={list.error}
        onRetry={list.refetch}
        empty={{ title: texts.title, text: texts.intro }}
        footer={<Pager label={texts.title} skip={skip} top={pageSize} total={total} onSkip={setSkip} />}
      />
    </TitledTable>
  )
}
