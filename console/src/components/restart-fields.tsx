import { NumberInput, Radio, Stack } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'
import { NamedField } from './named-field.tsx'
import { isDeadlineComplete, type UserDeadline } from './user-deadline/user-deadline.ts'
import { UserDeadlineFields } from './user-deadline/user-deadline-fields.tsx'

/** When computers restart. The minutes may be empty while they are typed. */
export type RestartTime = { isAtOnce: boolean; minutes: number | string; userDeadline: UserDeadline | null }

/** Users get time: where nobody is signed in, nobody is waited for. */
export const usualRestart: RestartTime = { isAtOnce: false, minutes: 15, userDeadline: null }

const atNextContact = -1

export const isRestartComplete = ({ isAtOnce, minutes, userDeadline }: RestartTime) =>
  isAtOnce || (Number(minutes) > 0 && isDeadlineComplete(userDeadline))

export const toRestartRequest = ({ isAtOnce, minutes, userDeadline }: RestartTime) => ({
  timeoutMinutes: isAtOnce ? atNextContact : Number(minutes),
  ...(!isAtOnce && userDeadline && { userDeadline }),
})

type RestartFieldsProps = { value: RestartTime; onChange: (value: RestartTime) => void }

/** Restarts computers after a time for their users, or at once. */
export function RestartFields({ value, onChange }: RestartFieldsProps) {
  const { restart } = useTexts().computer.actions
  return (
    <Stack gap="sm">
      <Radio.Group
        label={restart.when}
        value={value.isAtOnce ? 'now' : 'later'}
        onChange={(when) => onChange({ ...value, isAtOnce: when === 'now' })}
      >
        <Stack gap={6} mt={6}>
          <Radio value="later" label={restart.later} />
          <Radio value="now" label={restart.now} />
        </Stack>
      </Radio.Group>
      {!value.isAtOnce && (
        <>
          <NamedField name="timeoutMinutes">
            <NumberInput
              label={restart.minutes}
              value={value.minutes}
              onChange={(minutes) => onChange({ ...value, minutes })}
              min={1}
              max={1440}
              allowDecimal={false}
              maw={200}
            />
          </NamedField>
          <UserDeadlineFields
            value={value.userDeadline}
            onChange={(userDeadline) => onChange({ ...value, userDeadline })}
          />
        </>
      )}
    </Stack>
  )
}
