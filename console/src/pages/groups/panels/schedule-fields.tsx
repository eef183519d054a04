import { Fieldset, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { DateTimeField } from '../../../components/date-time-field.tsx'
import { NamedField } from '../../../components/named-field.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import type { DistributionOptions } from '../group-queries.ts'

type Schedule = DistributionOptions['schedule']

type ScheduleFieldsProps = { schedule: Schedule; onChange: (schedule: Schedule) => void }

const textOrNull = (text: string) => (text.trim() === '' ? null : text)

/** When packages may begin. Everything empty means at once and without end. */
export function ScheduleFields({ schedule, onChange }: ScheduleFieldsProps) {
  const { groups } = useTexts()
  const { schedule: words } = groups
  const set = (change: Partial<Schedule>) => onChange({ ...schedule, ...change })
  return (
    <Fieldset legend={groups.fields.schedule}>
      <Stack gap="xs">
        <NamedField name="schedule.cron">
          <TextInput
            label={words.cron}
            description={words.cronHint}
            placeholder="0 22 * * SAT"
            spellCheck={false}
            value={schedule.cron ?? ''}
            onChange={(event) => set({ cron: textOrNull(event.currentTarget.value) })}
          />
        </NamedField>
        <Group grow align="flex-start">
          <NamedField name="schedule.durationMinutes">
            <NumberInput
              label={words.duration}
              min={5}
              max={1440}
              value={schedule.durationMinutes ?? ''}
              onChange={(minutes) => set({ durationMinutes: typeof minutes === 'number' ? minutes : null })}
            />
          </NamedField>
          <NamedField name="schedule.timeZone">
            <TextInput
              label={words.timeZone}
              placeholder="Europe/Berlin"
              spellCheck={false}
              value={schedule.timeZone ?? ''}
              onChange={(event) => set({ timeZone: textOrNull(event.currentTarget.value) })}
            />
          </NamedField>
        </Group>
        <DateTimeField label={words.from} value={schedule.from} onChange={(from) => set({ from })} />
        <DateTimeField label={words.until} value={schedule.until} onChange={(until) => set({ until })} />
      </Stack>
    </Fieldset>
  )
}
