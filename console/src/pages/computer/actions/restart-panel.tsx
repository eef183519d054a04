import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { NextContact } from '../../../components/next-contact.tsx'
import {
  isRestartComplete,
  RestartFields,
  toRestartRequest,
  usualRestart,
} from '../../../components/restart-fields.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { type ActionPanelProps, taskPath } from './action-panel.ts'

/** Restarts the computer after a time for its user, or at once. */
export function RestartPanel({ page, isOpen, onClose }: ActionPanelProps) {
  const { restart } = useTexts().computer.actions
  const [time, setTime] = useState(usualRestart)
  const { id, hostname } = page.computer
  const body = toRestartRequest(time)
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: restart.title(hostname),
        label: restart.label,
        form: <RestartFields value={time} onChange={setTime} />,
        isComplete: isRestartComplete(time),
        requestKey: body,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/computer/{id}/reboot', {
            params: { path: { id }, query, header: headers },
            body,
          }),
        describe: () =>
          time.isAtOnce
            ? restart.describe(hostname)
            : restart.describeLater(hostname, body.timeoutMinutes, page.loggedOnUser),
        details: () => <NextContact atUtc={page.nextContactUtc} isConnected={page.computer.connectedNow} />,
        done: ({ trackingId }) => ({ text: restart.done(hostname), ...taskPath(trackingId) }),
        refreshes: [computerKey(id), ['tasks']],
      }}
    />
  )
}
