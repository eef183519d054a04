import { Checkbox, Fieldset, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useDeadlineTexts } from '../../texts/deadline-texts.ts'
import { DateTimeField } from '../date-time-field.tsx'
import { NamedField } from '../named-field.tsx'
import { firstDeadline, isDeadlineComplete, type UserDeadline } from './user-deadline.ts'

type UserDeadlineFieldsProps = { value: UserDeadline | null; onChange: (value: UserDeadline | null) => void }

/** The deadline of an assignment, a rollout or a restart as inputs. */
export function UserDeadlineFields({ value, onChange }: UserDeadlineFieldsProps) {
  const deadlines = useDeadlineTexts()
  return (
    <Fieldset legend={deadlines.legend}>
      <Stack gap="xs">
        <Checkbox
          label={deadlines.has}
          description={deadlines.hasHint}
          checked={value !== null}
          onChange={(event) => onChange(event.currentTarget.checked ? firstDeadline : null)}
        />
        {value && <DeadlineInputs value={value} onChange={(changes) => onChange({ ...value, ...changes })} />}
      </Stack>
    </Fieldset>
  )
}

type DeadlineInputsProps = { value: UserDeadline; onChange: (changes: Partial<UserDeadline>) => void }

function DeadlineInputs({ value, onChange }: DeadlineInputsProps) {
  const deadlines = useDeadlineTexts()
  // What somebody types between two commas is kept as it is.
  const [programs, setPrograms] = useState(value.closePrograms.join(', '))
  const { start, end } = value.quietHours ?? { start: '', end: '' }
  const setQuiet = (quietHours: { start: string; end: string }) =>
    onChange({ quietHours: quietHours.start === '' && quietHours.end === '' ? null : quietHours })
  return (
    <>
      <NamedField name="afterHours">
        <NumberInput
          label={deadlines.afterHours}
          description={deadlines.afterHoursHint}
          allowDecimal={false}
          min={1}
          max={8760}
          value={value.afterHours ?? ''}
          onChange={(hours) => onChange({ afterHours: typeof hours === 'number' ? hours : null })}
        />
      </NamedField>
      <DateTimeField
        label={deadlines.latestUtc}
        value={value.latestUtc}
        onChange={(latestUtc) => onChange({ latestUtc })}
      />
      {!isDeadlineComplete({ ...value, quietHours: null }) && (
        <Text size="sm" c="red" role="alert">
          {deadlines.needsEnd}
        </Text>
      )}
      <NamedField name="maxPostponements">
        <NumberInput
          label={deadlines.maxPostponements}
          allowDecimal={false}
          min={0}
          max={100}
          value={value.maxPostponements}
          onChange={(count) => onChange({ maxPostponements: Number(count) || 0 })}
        />
      </NamedField>
      <Group grow align="start">
        <NamedField name="quietHours.start">
          <TextInput
            type="time"
            label={deadlines.quietFrom}
            value={start}
            onChange={(event) => setQuiet({ start: event.currentTarget.value, end })}
          />
        </NamedField>
        <NamedField name="quietHours.end">
          <TextInput
            type="time"
            label={deadlines.quietUntil}
            value={end}
            onChange={(event) => setQuiet({ start, end: event.currentTarget.value })}
          />
        </NamedField>
      </Group>
      <Text size="xs" c="dimmed">
        {deadlines.quietHint}
      </Text>
      <NamedField name="closePrograms">
        <TextInput
          label={deadlines.closePrograms}
          description={deadlines.closeProgramsHint}
          value={programs}
          onChange={(event) => {
            setPrograms(event.currentTarget.value)
            const names = event.currentTarget.value.split(',').map((name) => name.trim())
            onChange({ closePrograms: names.filter((name) => name !== '') })
          }}
        />
      </NamedField>
      <NamedField name="noticeMinutes">
        <NumberInput
          label={deadlines.noticeMinutes}
          allowDecimal={false}
          min={1}
          max={240}
          value={value.noticeMinutes}
          onChange={(count) => onChange({ noticeMinutes: Math.max(1, Number(count) || 1) })}
        />
      </NamedField>
    </>
  )
}
