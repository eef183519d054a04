import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import type { Approval } from '../../api/blast-radius.ts'
import type { Column } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { useSession } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import { ComputerList, SubjectNames } from './approval-names.tsx'
import { useRequestName } from './use-request-name.ts'

const colours = { Pending: 'orange', Expired: 'gray', Executed: 'green', Failed: 'red', Denied: 'gray' } as const

type Actions = { onApprove: (approval: Approval) => void; onDeny: (approval: Approval) => void }

export function useApprovalColumns(actions: Actions): Column<Approval>[] {
  const { approvals } = useTexts()
  const { columns } = approvals
  const requestName = useRequestName()
  const format = useFormat()
  return [
    {
      id: 'request',
      title: columns.request,
      cell: ({ operation, target, subjects }) => (
        <Stack gap={2}>
          <Text size="sm" fw={600}>
            {requestName(operation)}
          </Text>
          <SubjectNames subjects={subjects} />
          <Text size="xs" c="dimmed" className="breakable">
            {operation} · {target}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'computers',
      title: columns.computers,
      width: 180,
      cell: ({ computerCount, firstComputers }) => (
        <>
          <Text size="sm" fw={600}>
            {format.number(computerCount)}
          </Text>
          <ComputerList computerCount={computerCount} firstComputers={firstComputers} />
        </>
      ),
    },
    {
      id: 'requested',
      title: columns.requested,
      width: 190,
      cell: ({ requesterName, requestedAtUtc }) => (
        <>
          {requesterName}
          <Text size="xs" c="dimmed">
            <Moment at={requestedAtUtc} />
          </Text>
        </>
      ),
    },
    { id: 'state', title: columns.state, width: 170, cell: (approval) => <State {...approval} /> },
    {
      id: 'actions',
      title: columns.actions,
      width: 190,
      cell: (approval) => approval.state === 'Pending' && <Decisions approval={approval} {...actions} />,
    },
  ]
}

function State({ state, expiresAtUtc, decidedBy, problemCode }: Approval) {
  const { approvals } = useTexts()
  const reason = problemCode && (textFor(approvals.problems, problemCode) ?? problemCode)
  return (
    <>
      <Badge color={colours[state]}>{approvals.states[state]}</Badge>
      <Text size="xs" c="dimmed" className="breakable">
        {state === 'Pending' ? (
          <>
            {approvals.until} <Moment at={expiresAtUtc} />
          </>
        ) : (
          (reason ?? decidedBy)
        )}
      </Text>
    </>
  )
}

function Decisions({ approval, onApprove, onDeny }: Actions & { approval: Approval }) {
  const { approvals } = useTexts()
  const { principal } = useSession()
  const requestName = useRequestName()
  const subject = `${requestName(approval.operation)}, ${approval.targetName ?? approval.target}`
  const isOwn = approval.requesterId === principal.id
  return (
    <Group gap="xs">
      {isOwn ? (
        <Text size="xs" c="dimmed">
          {approvals.ownHint}
        </Text>
      ) : (
        <Button size="compact-sm" aria-label={`${approvals.approve}: ${subject}`} onClick={() => onApprove(approval)}>
          {approvals.approve}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${approvals.deny}: ${subject}`}
        onClick={() => onDeny(approval)}
      >
        {approvals.deny}
      </Button>
    </Group>
  )
}
