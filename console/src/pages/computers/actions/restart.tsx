import { Text } from '@mantine/core'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import {
  isRestartComplete,
  RestartFields,
  toRestartRequest,
  usualRestart,
} from '../../../components/restart-fields.tsx'
import { useSelectionTexts } from '../../../texts/selection-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { ActionPanelProps } from './panel-props.ts'

export function Restart({ ids, isOpen, onClose }: ActionPanelProps) {
  const { computers: texts } = useTexts()
  const { restartsLater } = useSelectionTexts()
  const [time, setTime] = useState(usualRestart)
  const body = { computerIds: [...ids], ...toRestartRequest(time) }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.actions.restartTitle,
        label: texts.actions.restart,
        form: <RestartFields value={time} onChange={setTime} />,
        isComplete: isRestartComplete(time),
        requestKey: body,
        send: ({ query, headers }) =>
          api.POST('/api/fleet/computers/reboot', { params: { query, header: headers }, body }),
        describe: ({ answer }) => {
          const count = answer.requested + answer.alreadyRequested
          return time.isAtOnce ? texts.actions.restarts(count) : restartsLater(count, body.timeoutMinutes)
        },
        details: ({ answer: { withoutGroup, alreadyRequested } }) => (
          <>
            {alreadyRequested > 0 && <Text c="dimmed">{texts.actions.restartWaits(alreadyRequested)}</Text>}
            {withoutGroup > 0 && <Text c="dimmed">{texts.actions.restartWithoutGroup(withoutGroup)}</Text>}
          </>
        ),
        done: ({ trackingId }) => ({
          text: texts.actions.restartRequested,
          ...(trackingId && { to: `/tasks/${trackingId}` }),
        }),
        refreshes: [['computers'], ['tasks'], ['overview']],
      }}
    />
  )
}
