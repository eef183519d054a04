import { NumberInput, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { NextContact } from '../../../components/next-contact.tsx'
import { isDeadlineComplete, type UserDeadline } from '../../../components/user-deadline/user-deadline.ts'
import { UserDeadlineFields } from '../../../components/user-deadline/user-deadline-fields.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { type ActionPanelProps, dryRunOnly, taskPath } from './action-panel.ts'

const atNextContact = -1

/** Restarts the computer, at once or after a time for its user. */
export function RestartPanel({ page, isOpen, onClose }: ActionPanelProps) {
  const { restart } = useTexts().computer.actions
  const [isPatient, setIsPatient] = useState(page.loggedOnUser !== null)
  const [minutes, setMinutes] = useState<number | string>(15)
  const { id, hostname } = page.computer
  const timeoutMinutes = isPatient ? Number(minutes) : atNextContact
  const [userDeadline, setUserDeadline] = useState<UserDeadline | null>(null)
  const body = { timeoutMinutes, ...(isPatient && userDeadline && { userDeadline }) }
  const form = (
    <Stack gap="sm">
      <Radio.Group
        label={restart.when}
        value={isPatient ? 'later' : 'now'}
        onChange={(when) => setIsPatient(when === 'later')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="now" label={restart.now} />
          <Radio value="later" label={restart.later} />
        </Stack>
      </Radio.Group>
      {isPatient && (
        <NumberInput
          label={restart.minutes}
          value={minutes}
          onChange={setMinutes}
          min={1}
          max={1440}
          allowDecimal={false}
          maw={200}
        />
      )}
      {isPatient && <UserDeadlineFields value={userDeadline} onChange={setUserDeadline} />}
    </Stack>
  )
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: restart.title(hostname),
        label: restart.label,
        form,
        isComplete: !isPatient || (Number(minutes) > 0 && isDeadlineComplete(userDeadline)),
        requestKey: body,
        send: ({ query: { dryRun }, headers }) =>
          api.POST('/api/computer/{id}/reboot', {
            params: { path: { id }, query: dryRunOnly(dryRun), header: headers },
            body,
          }),
        describe: () =>
          isPatient ? restart.describeLater(hostname, timeoutMinutes, page.loggedOnUser) : restart.describe(hostname),
        details: () => <NextContact atUtc={page.nextContactUtc} isConnected={page.computer.connectedNow} />,
        done: ({ trackingId }) => ({ text: restart.done(hostname), ...taskPath(trackingId) }),
        refreshes: [computerKey(id), ['tasks']],
      }}
    />
  )
}
