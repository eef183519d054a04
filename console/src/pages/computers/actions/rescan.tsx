import { Text } from '@mantine/core'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { ActionPanelProps } from './panel-props.ts'

export function Rescan({ ids, isOpen, onClose }: ActionPanelProps) {
  const { computers: texts } = useTexts()
  const body = { computerIds: [...ids] }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.actions.rescanTitle,
        label: texts.actions.rescan,
        requestKey: body,
        send: ({ query, headers }) =>
          api.POST('/api/fleet/computers/rescan', { params: { query, header: headers }, body }),
        describe: ({ answer }) => texts.actions.rescans(answer.requested),
        details: ({ answer: { alreadyRequested } }) =>
          alreadyRequested > 0 && <Text c="dimmed">{texts.actions.rescanWaits(alreadyRequested)}</Text>,
        done: ({ trackingId }) => ({
          text: texts.actions.rescanRequested,
          ...(trackingId && { to: `/tasks/${trackingId}` }),
        }),
        refreshes: [['computers'], ['tasks'], ['overview']],
      }}
    />
  )
}
