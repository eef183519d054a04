import { Anchor, Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { type AgentPackage, answerOf, api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useEnrolmentTexts } from '../../texts/enrolment-texts.ts'
import { agentPackagesKey, DesignateDialog } from './designate-dialog.tsx'
import { useSignatureText } from './use-signature-text.ts'

const stateKinds = {
  NotDesignated: 'neutral',
  Served: 'good',
  NotReleased: 'warning',
  ContentChanged: 'bad',
  NotTrusted: 'bad',
} as const

/** The packages from which new computers get their agent. Nothing, if the session may not read packages. */
export function AgentPackages() {
  const { agentPackages: texts } = useEnrolmentTexts()
  const [chosen, setChosen] = useState<AgentPackage>()
  const [withdrawn, setWithdrawn] = useState<AgentPackage>()
  const mayRead = useHasRole('package.read')
  const list = useQuery({
    queryKey: agentPackagesKey,
    queryFn: () => answerOf(api.GET('/api/agent-packages')),
    enabled: mayRead,
  })
  const columns = useColumns(setChosen, setWithdrawn)
  if (!mayRead) return null
  return (
    <TitledTable title={texts.title} hint={texts.intro}>
      <DataTable
        caption={texts.title}
        columns={columns}
        rows={list.data}
        rowKey={({ platform }) => platform}
        error={list.error}
        onRetry={list.refetch}
        empty={{ title: texts.title, text: texts.intro }}
      />
      {chosen && <DesignateDialog agent={chosen} onClose={() => setChosen(undefined)} />}
      <WithdrawDialog agent={withdrawn} onClose={() => setWithdrawn(undefined)} />
    </TitledTable>
  )
}

type Choose = (agent: AgentPackage) => void

function useColumns(onChoose: Choose, onWithdraw: Choose): Column<AgentPackage>[] {
  const { agentPackages: texts } = useEnrolmentTexts()
  const signatureText = useSignatureText()
  const { columns } = texts
  return [
    { id: 'platform', title: columns.platform, width: 110, cell: ({ platform }) => platform },
    {
      id: 'package',
      title: columns.package,
      cell: ({ package: found }) =>
        found && (
          <Anchor component={Link} to={`/packages/${found.id}`} size="sm">
            {found.name} {found.version}
          </Anchor>
        ),
    },
    {
      id: 'signature',
      title: columns.signature,
      width: 210,
      cell: ({ package: found }) => found && signatureText(found.signature),
    },
    {
      id: 'state',
      title: columns.state,
      width: 220,
      cell: ({ state }) => <StatusBadge kind={stateKinds[state]}>{texts.states[state]}</StatusBadge>,
    },
    { id: 'designated', title: columns.designated, width: 210, cell: (agent) => <Designated agent={agent} /> },
    {
      id: 'actions',
      title: columns.actions,
      width: 230,
      cell: (agent) => <Actions agent={agent} onChoose={onChoose} onWithdraw={onWithdraw} />,
    },
  ]
}

function Designated({ agent: { designatedAtUtc, designatedBy } }: { agent: AgentPackage }) {
  const { byUpgrade } = useEnrolmentTexts().agentPackages
  if (designatedAtUtc === null) return null
  return (
    <>
      <Moment at={designatedAtUtc} /> {designatedBy ?? byUpgrade}
    </>
  )
}

function Actions({ agent, onChoose, onWithdraw }: { agent: AgentPackage; onChoose: Choose; onWithdraw: Choose }) {
  const { agentPackages: texts } = useEnrolmentTexts()
  const mayDesignate = useHasRole('admin.manage')
  if (!mayDesignate) return null
  const button = (label: string, onClick: Choose) => (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${label}: ${agent.platform}`}
      onClick={() => onClick(agent)}
    >
      {label}
    </Button>
  )
  return (
    <Group gap="xs">
      {button(texts.choose, onChoose)}
      {agent.package && button(texts.withdraw, onWithdraw)}
    </Group>
  )
}

function WithdrawDialog({ agent, onClose }: { agent: AgentPackage | undefined; onClose: () => void }) {
  const { agentPackages: texts } = useEnrolmentTexts()
  const queryClient = useQueryClient()
  const withdraw = async () => {
    if (!agent) return
    await api.DELETE('/api/agent-packages/{platform}', { params: { path: { platform: agent.platform } } })
    await queryClient.invalidateQueries({ queryKey: agentPackagesKey })
    notifications.show({ message: texts.withdrawn })
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={agent !== undefined}
      title={texts.withdrawTitle(agent?.platform ?? '')}
      text={texts.withdrawText}
      confirmLabel={texts.withdraw}
      isDangerous
      onConfirm={withdraw}
      onClose={onClose}
    />
  )
}
