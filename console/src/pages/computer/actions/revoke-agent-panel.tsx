import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { useComputerRecordTexts } from '../../../texts/computer-record-texts.ts'
import { computerKey } from '../computer-data.ts'
import type { ActionPanelProps } from './action-panel.ts'

/** Refuses the agent of the computer, for example because the computer was stolen. */
export function RevokeAgentPanel({ page, ...panel }: ActionPanelProps) {
  const texts = useComputerRecordTexts()
  const { id, hostname } = page.computer
  return (
    <ReviewPanel<unknown>
      {...panel}
      action={{
        title: texts.revokeTitle(hostname),
        label: texts.revoke,
        isSevere: true,
        send: ({ uncounted: query }) => api.DELETE('/api/computer/{id}/agent', { params: { path: { id }, query } }),
        describe: () => texts.revokes(hostname),
        done: () => ({ text: texts.revoked(hostname) }),
        refreshes: [computerKey(id), ['computers'], ['overview']],
      }}
    />
  )
}
