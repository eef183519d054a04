import { Code, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type Approval, approvalsKey } from '../../api/blast-radius.ts'
import { answerOf, api } from '../../api/client.ts'
import { decisionsKey } from '../../api/decisions.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { Moment } from '../../components/moment.tsx'
import { textFor, useTexts } from '../../texts/texts.tsx'
import { ComputerSentence, NameThenAndNow } from './approval-names.tsx'
import { useRequestName } from './use-request-name.ts'

type DecisionDialogProps = { approval: Approval | undefined; onClose: () => void }

/** Shows how many computers the request affects, and what it consists of, before it is carried out. */
export function ApproveDialog({ approval, onClose }: DecisionDialogProps) {
  const { approvals } = useTexts()
  const requestName = useRequestName()
  const decide = useDecision(onClose)
  const approve = async ({ approvalId: id }: Approval) => {
    const { problemCode } = await answerOf(api.POST('/api/approvals/{id}', { params: { path: { id } } }))
    if (problemCode === null) return notifications.show({ message: approvals.approved })
    return notifications.show({
      color: 'red',
      message: approvals.failedBecause(textFor(approvals.problems, problemCode) ?? problemCode),
    })
  }
  return (
    <ConfirmDialog
      isOpen={approval !== undefined}
      title={approvals.approveTitle(requestName(approval?.operation ?? ''))}
      text={approvals.approveText(approval?.requesterName ?? '', approval?.computerCount ?? 0)}
      confirmLabel={approvals.approve}
      isDangerous
      onConfirm={() => decide(approval, approve)}
      onClose={onClose}
    >
      {approval && <RequestContent approval={approval} />}
    </ConfirmDialog>
  )
}

export function DenyDialog({ approval, onClose }: DecisionDialogProps) {
  const { approvals } = useTexts()
  const requestName = useRequestName()
  const decide = useDecision(onClose)
  const deny = async ({ approvalId: id }: Approval) => {
    await api.DELETE('/api/approvals/{id}', { params: { path: { id } } })
    notifications.show({ message: approvals.denied })
  }
  return (
    <ConfirmDialog
      isOpen={approval !== undefined}
      title={approvals.denyTitle(requestName(approval?.operation ?? ''))}
      text={approvals.denyText(approval?.requesterName ?? '')}
      confirmLabel={approvals.deny}
      onConfirm={() => decide(approval, deny)}
      onClose={onClose}
    />
  )
}

/** Makes the decision, reloads the list and closes the dialog. */
function useDecision(onClose: () => void) {
  const queryClient = useQueryClient()
  return async (approval: Approval | undefined, decide: (approval: Approval) => Promise<unknown>) => {
    if (!approval) return
    try {
      await decide(approval)
      onClose()
    } finally {
      await Promise.all([approvalsKey, decisionsKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    }
  }
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line) => (
    <Text key={line} size="sm" className="breakable">
      {line}
    </Text>
  ))
}

function RequestContent({ approval }: { approval: Approval }) {
  const { approvals } = useTexts()
  const { operation, target, request, requestedAtUtc, expiresAtUtc } = approval
  return (
    <>
      <Facts
        rows={[
          ...approval.subjects.map(
            ({ kind, id, ...names }) => [approvals.subjects[kind], <NameThenAndNow key={id} {...names} />] as const,
          ),
          [approvals.computers, <ComputerSentence key="computers" {...approval} />],
          [approvals.received, approval.content.length > 0 && <Lines key="content" lines={approval.content} />],
          [approvals.requestedAt, <Moment key="requested" at={requestedAtUtc} />],
          [approvals.expiresAt, <Moment key="expires" at={expiresAtUtc} />],
        ]}
      />
      <Text size="sm" c="dimmed">
        {approvals.boundHint}
      </Text>
      <Code block className="breakable" tabIndex={0} role="group" aria-label={approvals.content}>
        {JSON.stringify({ operation, target, ...(request as object) }, null, 2)}
      </Code>
    </>
  )
}
