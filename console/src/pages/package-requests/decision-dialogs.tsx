import { Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { decisionsKey } from '../../api/decisions.ts'
import { type PackageRequest, packageRequestsKey } from '../../api/package-requests.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { usePackageRequestTexts } from '../../texts/package-request-texts.ts'
import { PackageField } from '../package/package-field.tsx'

type DecisionDialogProps = { request: PackageRequest | undefined; onClose: () => void }

const maxAnswerLength = 1000

/** Chooses the package that the computer gets. */
export function ApproveRequestDialog({ request, onClose }: DecisionDialogProps) {
  const texts = usePackageRequestTexts()
  const [packageId, setPackageId] = useState('')
  const [answer, setAnswer] = useState('')
  const decide = useDecision(onClose, () => {
    setPackageId('')
    setAnswer('')
  })
  const approve = async ({ requestId: id }: PackageRequest) => {
    const path = { params: { path: { id } }, body: { packageId, answer } }
    await answerOf(api.POST('/api/package-requests/{id}/approval', path))
    notifications.show({ message: texts.approved })
  }
  return (
    <ConfirmDialog
      isOpen={request !== undefined}
      title={texts.approveTitle}
      text={texts.approveText(request?.userName ?? '', request?.hostname ?? '')}
      confirmLabel={texts.approve}
      isBlocked={packageId === ''}
      onConfirm={() => decide(request, approve)}
      onClose={onClose}
    >
      <Wish request={request} />
      <PackageField label={texts.package} value={packageId} onChange={setPackageId} kind="Software" isFocused={false} />
      <Answer label={texts.answer} value={answer} onChange={setAnswer} />
    </ConfirmDialog>
  )
}

export function DeclineRequestDialog({ request, onClose }: DecisionDialogProps) {
  const texts = usePackageRequestTexts()
  const [answer, setAnswer] = useState('')
  const decide = useDecision(onClose, () => setAnswer(''))
  const decline = async ({ requestId: id }: PackageRequest) => {
    await answerOf(api.POST('/api/package-requests/{id}/refusal', { params: { path: { id } }, body: { answer } }))
    notifications.show({ message: texts.states.Declined })
  }
  return (
    <ConfirmDialog
      isOpen={request !== undefined}
      title={texts.declineTitle}
      text={texts.declineText(request?.userName ?? '')}
      confirmLabel={texts.decline}
      isBlocked={answer.trim() === ''}
      onConfirm={() => decide(request, decline)}
      onClose={onClose}
    >
      <Wish request={request} />
      <Answer label={texts.declineAnswer} value={answer} onChange={setAnswer} isRequired />
    </ConfirmDialog>
  )
}

function Wish({ request }: Pick<DecisionDialogProps, 'request'>) {
  return (
    <Text fw={600} className="breakable">
      {request?.wish}
    </Text>
  )
}

type AnswerProps = { label: string; value: string; onChange: (text: string) => void; isRequired?: boolean }

function Answer({ label, value, onChange, isRequired = false }: AnswerProps) {
  return (
    <Textarea
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={maxAnswerLength}
      required={isRequired}
      autosize
      minRows={2}
    />
  )
}

/** Makes the decision, reloads the list and closes the dialog. What was typed is not kept for the next request. */
function useDecision(onClose: () => void, reset: () => void) {
  const queryClient = useQueryClient()
  return async (request: PackageRequest | undefined, decide: (request: PackageRequest) => Promise<unknown>) => {
    if (!request) return
    try {
      await decide(request)
      reset()
      onClose()
    } finally {
      await Promise.all(
        [packageRequestsKey, decisionsKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    }
  }
}
