import { Fieldset, Stack, Switch, Text } from '@mantine/core'
import {
  isRestartComplete,
  RestartFields,
  type RestartTime,
  toRestartRequest,
} from '../../components/restart-fields.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { isWindowComplete, type PlannedWindow, toWindowRequest } from '../groups/panels/rollout-plan.ts'
import { WindowsFields } from '../groups/panels/windows-fields.tsx'
import { weekdays } from '../rollout/windows.ts'
import type { PatchRestart } from './policies.ts'

type PolicyRestartFieldsProps = {
  restart: PatchRestart | null
  onChange: (restart: PatchRestart | null) => void
}

/** At night, with some time for people who are signed in. */
const usualRestart: PatchRestart = {
  windows: [{ days: [...weekdays], start: '22:00', durationMinutes: 360 }],
  timeZone: null,
  timeoutMinutes: 15,
  reminderMinutes: 10,
  userDeadline: null,
}

/** When computers of the policy restart that need it. */
export function PolicyRestartFields({ restart, onChange }: PolicyRestartFieldsProps) {
  const { restart: texts } = usePatchPolicyTexts()
  const mayRestart = useHasRole('reboot.execute')
  return (
    <Fieldset legend={texts.title}>
      <Stack gap="sm">
        <Switch
          label={texts.isOn}
          description={mayRestart ? texts.hint : texts.needsRole}
          checked={restart !== null}
          disabled={!mayRestart && restart === null}
          onChange={(event) => onChange(event.currentTarget.checked ? usualRestart : null)}
        />
        {restart && mayRestart && <RestartTimes restart={restart} onChange={onChange} />}
        {restart && !mayRestart && <Text size="sm">{texts.isSet}</Text>}
      </Stack>
    </Fieldset>
  )
}

function RestartTimes({ restart, onChange }: { restart: PatchRestart; onChange: (restart: PatchRestart) => void }) {
  const { restart: texts } = usePatchPolicyTexts()
  return (
    <>
      <WindowsFields
        path="restart."
        about={{ title: texts.windows, hint: texts.windowsHint }}
        times={{ windows: restart.windows.map(toPlanned), timeZone: restart.timeZone }}
        onChange={({ windows, timeZone }) =>
          onChange({ ...restart, timeZone, windows: windows.map((window) => toWindowRequest(window)) })
        }
      />
      <RestartFields
        value={toTime(restart)}
        onChange={(time) => onChange({ ...restart, userDeadline: null, ...toRestartRequest(time) })}
      />
    </>
  )
}

const toPlanned = ({ days, start, durationMinutes }: PatchRestart['windows'][number], at: number): PlannedWindow => ({
  id: at + 1,
  days,
  start,
  hours: durationMinutes / 60,
})

const toTime = ({ timeoutMinutes, userDeadline }: PatchRestart): RestartTime => ({
  isAtOnce: timeoutMinutes < 0,
  minutes: timeoutMinutes < 0 ? 15 : timeoutMinutes,
  userDeadline,
})

/** Whether the restart has what the service requires. */
export const isPolicyRestartComplete = (restart: PatchRestart | null) =>
  restart === null ||
  (restart.windows.length > 0 &&
    restart.windows.every((window, at) => isWindowComplete(toPlanned(window, at)) && window.durationMinutes >= 5) &&
    isRestartComplete(toTime(restart)))
