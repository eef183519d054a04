import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api, type Schemas } from '../../api/client.ts'
import { IconRefresh, IconX } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'

/** Retrying failed work, and withdrawing what still waits. The work of a rollout is changed by the rollout. */
export function TaskActions({ task }: { task: Schemas['TaskDetails'] }) {
  const mayExecute = useHasRole('activation.execute')
  if (!mayExecute || task.rolloutId !== null) return null
  const isActivation = task.type === 'Activation' && (task.groupId !== null || task.clientId !== null)
  return (
    <Group gap="xs">
      {task.failed > 0 && <RetryTask task={task} />}
      {isActivation && task.open > 0 && <WithdrawTask task={task} />}
    </Group>
  )
}

function RetryTask({ task: { trackingId } }: { task: Schemas['TaskDetails'] }) {
  const { actions } = useRolloutTexts()
  const [isOpen, panel] = useDisclosure()
  return (
    <>
      <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={panel.open}>
        {actions.retryTask}
      </Button>
      <ReviewPanel
        isOpen={isOpen}
        onClose={panel.close}
        action={{
          title: actions.retryTitle,
          label: actions.retryTask,
          requestKey: ['retry', trackingId],
          send: ({ query, headers }) =>
            api.POST('/api/tasks/{trackingId}/retry', { params: { path: { trackingId }, query, header: headers } }),
          describe: ({ answer, computers = 0 }) =>
            answer.trackingId === null ? actions.nothingDue : actions.retryText(computers),
          done: (answer) =>
            answer.trackingId === null
              ? { text: actions.nothingDue }
              : { text: actions.retried, to: `/tasks/${answer.trackingId}` },
          refreshes: [['task', trackingId], ['tasks']],
        }}
      />
    </>
  )
}

function WithdrawTask({ task: { trackingId, groupId, clientId } }: { task: Schemas['TaskDetails'] }) {
  const { actions } = useRolloutTexts()
  const [isOpen, panel] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={panel.open}>
        {actions.withdraw}
      </Button>
      <ReviewPanel<{ cancelledWork: number }>
        isOpen={isOpen}
        onClose={panel.close}
        action={{
          title: actions.withdrawTitle,
          label: actions.withdraw,
          requestKey: ['withdraw', trackingId],
          send: ({ query, uncounted }) =>
            groupId === null
              ? api.DELETE('/api/computer/{id}/activation', {
                  params: { path: { id: clientId ?? 0 }, query: uncounted },
                })
              : api.DELETE('/api/group/{id}/activation', { params: { path: { id: groupId }, query } }),
          describe: ({ answer, computers = 1 }) => actions.withdrawText(computers, answer.cancelledWork),
          done: () => ({ text: actions.withdrawn }),
          refreshes: [['task', trackingId], ['tasks']],
        }}
      />
    </>
  )
}
