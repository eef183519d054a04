import { NativeSelect, NumberInput, Stack } from '@mantine/core'
import type { components } from '../../api/types.ts'
import { useDeadlineTexts } from '../../texts/deadline-texts.ts'
import { NamedField } from '../named-field.tsx'
import { isDeadlineComplete } from './user-deadline.ts'
import { UserDeadlineFields } from './user-deadline-fields.tsx'

export type Power = components['schemas']['SrlSettings']

/** Minutes of warning before the action, unless the person gets a deadline with a notice of its own. */
const usualMinutes = 15

export const isPowerComplete = (power: Power | null) =>
  isDeadlineComplete(power?.userDeadline) && (!power || Boolean(power.userDeadline) || (power.timeoutMinutes ?? 0) > 0)

type PowerFieldsProps = { value: Power | null; onChange: (value: Power | null) => void }

/** What computers do when all their work is done, and how long people may delay it. */
export function PowerFields({ value, onChange }: PowerFieldsProps) {
  const { after, nothing, power, warning } = useDeadlineTexts()
  const actions = Object.entries(power).map(([action, label]) => ({ value: action, label }))
  return (
    <Stack gap="sm">
      <NamedField name="action">
        <NativeSelect
          label={after}
          data={[{ value: '', label: nothing }, ...actions]}
          value={value?.action ?? ''}
          onChange={(event) => {
            const action = event.currentTarget.value as Power['action'] | ''
            onChange(action === '' ? null : { timeoutMinutes: usualMinutes, ...value, action })
          }}
          maw={280}
        />
      </NamedField>
      {value && !value.userDeadline && (
        <NamedField name="timeoutMinutes">
          <NumberInput
            label={warning}
            value={value.timeoutMinutes || ''}
            onChange={(minutes) => onChange({ ...value, timeoutMinutes: Number(minutes) })}
            min={1}
            max={1440}
            allowDecimal={false}
            maw={280}
          />
        </NamedField>
      )}
      {value && (
        <UserDeadlineFields
          value={value.userDeadline ?? null}
          onChange={(userDeadline) => onChange({ ...value, userDeadline })}
        />
      )}
    </Stack>
  )
}
