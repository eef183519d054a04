import { Code } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, type QuarantinedAgent } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { Pager } from '../../components/pager.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useEnrolmentTexts } from '../../texts/enrolment-texts.ts'
import { DecisionButtons } from './decision-buttons.tsx'
import { type Decision, DecisionDialog, quarantineKey } from './decision-dialog.tsx'

const pageSize = 20

/** The agents that a person must confirm or reject. */
export function QuarantinedAgents() {
  const { quarantine } = useEnrolmentTexts()
  const [skip, setSkip] = useState(0)
  const [decision, setDecision] = useState<Decision>()
  const query = { skip, top: pageSize }
  const list = useQuery({
    queryKey: [...quarantineKey, query],
    queryFn: () => answerOf(api.GET('/api/quarantined-agents', { params: { query } })),
    placeholderData: keepPreviousData,
  })
  return (
    <TitledTable title={quarantine.title} hint={quarantine.intro}>
      <DataTable
        caption={quarantine.title}
        columns={useColumns(setDecision)}
        rows={list.data?.items}
        rowKey={({ id }) => id}
        error={list.error}
        onRetry={list.refetch}
        empty={{ title: quarantine.emptyTitle, text: quarantine.emptyText }}
        footer={
          <Pager
            label={quarantine.title}
            skip={skip}
            top={pageSize}
            total={list.data?.totalCount ?? 0}
            onSkip={setSkip}
          />
        }
      />
      <DecisionDialog decision={decision} onClose={() => setDecision(undefined)} />
    </TitledTable>
  )
}

function useColumns(onDecide: (decision: Decision) => void): Column<QuarantinedAgent>[] {
  const { quarantine } = useEnrolmentTexts()
  const { columns, properties } = quarantine
  return [
    {
      id: 'computer',
      title: columns.computer,
      cell: ({ hostname, candidates }) => (candidates.length > 0 ? quarantine.candidates(candidates.length) : hostname),
    },
    { id: 'reported', title: columns.reported, cell: (agent) => <Reported {...agent} /> },
    {
      id: 'matchedBy',
      title: columns.matchedBy,
      width: 170,
      cell: ({ matchedBy }) => matchedBy.map((property) => properties[property]).join(', '),
    },
    {
      id: 'agent',
      title: columns.agent,
      width: 150,
      cell: ({ agentKind, agentVersion }) => `${agentKind} ${agentVersion}`,
    },
    { id: 'address', title: columns.address, width: 140, cell: ({ address }) => <Code>{address ?? '–'}</Code> },
    { id: 'enrolled', title: columns.enrolled, width: 170, cell: ({ enrolledAtUtc }) => <Moment at={enrolledAtUtc} /> },
    {
      id: 'actions',
      title: columns.actions,
      width: 210,
      cell: (agent) => <DecisionButtons agent={agent} onDecide={onDecide} />,
    },
  ]
}

function Reported({ reportedName, reportedDomain, reportedUuid, reportedMacAddress }: QuarantinedAgent) {
  return (
    <>
      {reportedName}.{reportedDomain}
      {[reportedUuid, reportedMacAddress].map(
        (value) =>
          value && (
            <Code key={value} display="block">
              {value}
            </Code>
          ),
      )}
    </>
  )
}
