import { Button, Code, Group, Select } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, type QuarantinedAgent } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { Pager } from '../../components/pager.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useEnrolmentTexts } from '../../texts/enrolment-texts.ts'

const pageSize = 20
const quarantineKey = ['quarantined-agents']

type Decision = { agent: QuarantinedAgent; isConfirmation: boolean }

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
      cell: (agent) => <Actions agent={agent} onDecide={onDecide} />,
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

function Actions({ agent, onDecide }: { agent: QuarantinedAgent; onDecide: (decision: Decision) => void }) {
  const { quarantine } = useEnrolmentTexts()
  const button = (label: string, isConfirmation: boolean) => (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${label}: ${agent.reportedName}`}
      onClick={() => onDecide({ agent, isConfirmation })}
    >
      {label}
    </Button>
  )
  return (
    <Group gap="xs">
      {button(quarantine.confirm, true)}
      {button(quarantine.reject, false)}
    </Group>
  )
}

function DecisionDialog({ decision, onClose }: { decision: Decision | undefined; onClose: () => void }) {
  const { quarantine } = useEnrolmentTexts()
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<string | null>(null)
  const { agent, isConfirmation = false } = decision ?? {}
  const isAmbiguous = agent !== undefined && agent.candidates.length > 0
  const name = isAmbiguous ? agent.reportedName : (agent?.hostname ?? '')
  const close = () => {
    setChosen(null)
    onClose()
  }
  const decide = async () => {
    if (!agent) return
    const params = { path: { id: agent.id } }
    const body = isAmbiguous ? { clientId: Number(chosen) } : {}
    if (isConfirmation) await api.POST('/api/quarantined-agents/{id}/confirmation', { params, body })
    else await api.DELETE('/api/quarantined-agents/{id}', { params })
    await queryClient.invalidateQueries({ queryKey: quarantineKey })
    notifications.show({ message: isConfirmation ? quarantine.confirmed : quarantine.rejected })
    close()
  }
  const replaced = isAmbiguous ? agent.candidates.find(({ clientId }) => String(clientId) === chosen) : agent
  const warning = replaced?.hasAgent ? ` ${quarantine.replacesAgent}` : ''
  return (
    <ConfirmDialog
      isOpen={decision !== undefined}
      title={isConfirmation ? quarantine.confirmTitle(name) : quarantine.rejectTitle(name)}
      text={isConfirmation ? quarantine.confirmText + warning : quarantine.rejectText}
      confirmLabel={isConfirmation ? quarantine.confirm : quarantine.reject}
      isDangerous={!isConfirmation || replaced?.hasAgent === true}
      isBlocked={isConfirmation && isAmbiguous && chosen === null}
      onConfirm={decide}
      onClose={close}
    >
      {isConfirmation && isAmbiguous && (
        <Select
          label={quarantine.choose}
          description={quarantine.chooseText}
          data={agent.candidates.map(({ clientId, hostname, macAddress, hasAgent }) => ({
            value: String(clientId),
            label: visibleLine([hostname, macAddress, hasAgent && quarantine.hasAgent].filter(Boolean).join(' – ')),
          }))}
          value={chosen}
          onChange={setChosen}
          searchable
        />
      )}
    </ConfirmDialog>
  )
}
