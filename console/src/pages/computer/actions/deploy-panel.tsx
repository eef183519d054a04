import { useState } from 'react'
import { DeploymentPlan } from '../../../actions/deployment-plan.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { NextContact } from '../../../components/next-contact.tsx'
import { isPowerComplete, type Power, PowerFields } from '../../../components/user-deadline/power-fields.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { type ActionPanelProps, taskPath } from './action-panel.ts'

/** Publishes the assignments of the computer. */
export function DeployPanel({ page, isOpen, onClose }: ActionPanelProps) {
  const { deploy } = useTexts().computer.actions
  const { id, hostname } = page.computer
  const path = { id }
  const [srl, setSrl] = useState<Power | null>(null)
  const body = { software: true, ...(srl && { srl }) }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: deploy.title(hostname),
        label: deploy.label,
        form: <PowerFields value={srl} onChange={setSrl} />,
        isComplete: isPowerComplete(srl),
        requestKey: body,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/computer/{id}/activation', {
            params: { path, query, header: headers },
            body,
          }),
        describe: ({ answer }) => (answer.trackingId ? deploy.describe(hostname) : deploy.nothingDue),
        details: ({ answer }) => (
          <>
            {answer.trackingId && <NextContact atUtc={page.nextContactUtc} isConnected={page.computer.connectedNow} />}
            <DeploymentPlan plan={answer.plan} isOneComputer />
          </>
        ),
        done: ({ trackingId }) => ({
          text: trackingId ? deploy.done : deploy.nothingDue,
          ...taskPath(trackingId),
          ...(trackingId && {
            undo: {
              label: deploy.undo,
              done: deploy.undone,
              run: () => api.DELETE('/api/computer/{id}/activation', { params: { path, query: { software: true } } }),
            },
          }),
        }),
        refreshes: [computerKey(id), ['computers'], ['tasks']],
      }}
    />
  )
}
