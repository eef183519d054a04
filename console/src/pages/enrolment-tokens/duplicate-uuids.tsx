import { Anchor, Code } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { answerOf, api, type DuplicateUuid } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { Pager } from '../../components/pager.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useEnrolmentTexts } from '../../texts/enrolment-texts.ts'

const pageSize = 20

/** The computers that their UUID does not identify. Nothing, if there are none or the session may not read computers. */
export function DuplicateUuids() {
  const texts = useEnrolmentTexts().quarantine.duplicates
  const [skip, setSkip] = useState(0)
  const mayRead = useHasRole('computer.read')
  const query = { skip, top: pageSize }
  const list = useQuery({
    queryKey: ['duplicate-uuids', query],
    queryFn: () => answerOf(api.GET('/api/fleet/duplicate-uuids', { params: { query } })),
    placeholderData: keepPreviousData,
    enabled: mayRead,
  })
  const columns = useColumns()
  const total = list.data?.totalCount ?? 0
  if (total === 0) return null
  return (
    <TitledTable title={texts.title} hint={texts.intro}>
      <DataTable
        caption={texts.title}
        columns={columns}
        rows={list.data?.items}
        rowKey={({ id }) => id}
        error={list.error}
        onRetry={list.refetch}
        empty={{ title: texts.title, text: texts.intro }}
        footer={<Pager label={texts.title} skip={skip} top={pageSize} total={total} onSkip={setSkip} />}
      />
    </TitledTable>
  )
}

function useColumns(): Column<DuplicateUuid>[] {
  const { columns, hasAgent: enrolled, hasNoAgent } = useEnrolmentTexts().quarantine.duplicates
  return [
    { id: 'uuid', title: columns.uuid, cell: ({ uuid }) => <Code>{uuid}</Code> },
    {
      id: 'computer',
      title: columns.computer,
      cell: ({ id, hostname }) => (
        <Anchor component={Link} to={`/computers/${id}`} size="sm">
          {hostname}
        </Anchor>
      ),
    },
    {
      id: 'macAddress',
      title: columns.macAddress,
      width: 170,
      cell: ({ macAddress }) => <Code>{macAddress ?? '–'}</Code>,
    },
    { id: 'agent', title: columns.agent, width: 120, cell: ({ hasAgent }) => (hasAgent ? enrolled : hasNoAgent) },
    {
      id: 'lastSeen',
      title: columns.lastSeen,
      width: 170,
      cell: ({ lastSeenUtc }) => (lastSeenUtc ? <Moment at={lastSeenUtc} /> : '–'),
    },
  ]
}
