import { NumberInput, Text } from '@mantine/core'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { ActionPanelProps } from './panel-props.ts'

export function Restart({ ids, isOpen, onClose }: ActionPanelProps) {
  const { computers: texts } = useTexts()
  const [minutes, setMinutes] = useState<number | string>('')
  const body = { computerIds: [...ids], timeoutMinutes: typeof minutes === 'number' ? minutes : null }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.actions.restartTitle,
        label: texts.actions.restart,
        requestKey: body,
        form: (
          <NumberInput
            label={texts.actions.userMinutes}
            description={texts.actions.userMinutesHint}
            min={0}
            max={1_440}
            allowDecimal={false}
            value={minutes}
            onChange={setMinutes}
          />
        ),
        send: ({ query, headers }) =>
          api.POST('/api/fleet/computers/reboot', { params: { query, header: headers }, body }),
        describe: ({ answer }) => texts.actions.restarts(answer.requested + answer.alreadyRequested),
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
