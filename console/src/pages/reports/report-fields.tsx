import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useReportTexts } from '../../texts/report-texts.ts'
import type { Report, ReportSchedule } from './reports.ts'

export type ReportValues = {
  name: string
  format: Report['format']
  frequency: ReportSchedule['frequency'] | 'None'
  time: string
  timeZone: string
  weekday: NonNullable<ReportSchedule['weekday']>
  dayOfMonth: number
  recipients: string[]
  webhookId: string
}

export const newReportValues = (): ReportValues => ({
  name: '',
  format: 'Pdf',
  frequency: 'Weekly',
  time: '06:30',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  weekday: 'Monday',
  dayOfMonth: 1,
  recipients: [],
  webhookId: '',
})

export function valuesOfReport({ name, format, schedule, recipients, webhookId }: Report): ReportValues {
  const { frequency = 'None', time, timeZone, weekday, dayOfMonth } = schedule ?? {}
  const empty = newReportValues()
  return {
    name,
    format,
    frequency,
    time: time ?? empty.time,
    timeZone: timeZone ?? empty.timeZone,
    weekday: weekday ?? empty.weekday,
    dayOfMonth: dayOfMonth ?? empty.dayOfMonth,
    recipients,
    webhookId: webhookId ?? '',
  }
}

/** Only what was typed; a schedule as a whole. */
export function toChanges(typed: Partial<ReportValues>, values: ReportValues) {
  const { schedule, webhookId, ...request } = toRequest(values)
  const isTyped = (name: string) => Object.hasOwn(typed, name)
  return {
    ...Object.fromEntries(Object.entries(request).filter(([name]) => isTyped(name))),
    ...(isTyped('webhookId') && { webhookId }),
    ...(scheduleNames.some(isTyped) && { schedule }),
  }
}

const scheduleNames = ['frequency', 'time', 'timeZone', 'weekday', 'dayOfMonth']

/** What the API takes. */
export function toRequest({ name, format, recipients, webhookId, ...values }: ReportValues) {
  return { name, format, recipients, webhookId: webhookId || null, schedule: toSchedule(values) }
}

function toSchedule(values: Pick<ReportValues, 'frequency' | 'time' | 'timeZone' | 'weekday' | 'dayOfMonth'>) {
  const { frequency, time, timeZone, weekday, dayOfMonth } = values
  if (frequency === 'None') return null
  return {
    frequency,
    time,
    timeZone: timeZone.trim(),
    ...(frequency === 'Weekly' && { weekday }),
    ...(frequency === 'Monthly' && { dayOfMonth }),
  }
}

type ReportFieldsProps = { values: ReportValues; onChange: (changes: Partial<ReportValues>) => void }

/** When a report is made, in which format, and where it is sent. */
export function ReportFields({ values, onChange }: ReportFieldsProps) {
  const texts = useReportTexts()
  return (
    <>
      <NamedField name="name">
        <TextInput
          data-autofocus
          required
          label={texts.fields.name}
          autoComplete="off"
          value={values.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </NamedField>
      <NamedField name="format">
        <Select
          label={texts.fields.format}
          allowDeselect={false}
          data={(['Pdf', 'Csv'] as const).map((value) => ({ value, label: texts.formats[value] }))}
          value={values.format}
          onChange={(value) => onChange({ format: value as Report['format'] })}
        />
      </NamedField>
      <ScheduleFields values={values} onChange={onChange} />
      <NamedField name="recipients">
        <TagsInput
          label={texts.fields.recipients}
          description={texts.recipientsHint}
          maxTags={20}
          value={values.recipients}
          onChange={(recipients) => onChange({ recipients })}
          acceptValueOnBlur
        />
      </NamedField>
      <WebhookChoice value={values.webhookId} onChange={(webhookId) => onChange({ webhookId })} />
    </>
  )
}

const frequencies = ['None', 'Daily', 'Weekly', 'Monthly'] as const
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

function ScheduleFields({ values, onChange }: ReportFieldsProps) {
  const texts = useReportTexts()
  const { fields } = texts
  return (
    <>
      <NamedField name="frequency">
        <Select
          label={fields.frequency}
          allowDeselect={false}
          data={frequencies.map((value) => ({ value, label: texts.frequencies[value] }))}
          value={values.frequency}
          onChange={(value) => onChange({ frequency: value as ReportValues['frequency'] })}
        />
      </NamedField>
      {values.frequency === 'Weekly' && (
        <NamedField name="weekday">
          <Select
            label={fields.weekday}
            allowDeselect={false}
            data={weekdays.map((value) => ({ value, label: texts.weekdays[value] }))}
            value={values.weekday}
            onChange={(value) => onChange({ weekday: value as ReportValues['weekday'] })}
          />
        </NamedField>
      )}
      {values.frequency === 'Monthly' && (
        <NamedField name="dayOfMonth">
          <NumberInput
            label={fields.dayOfMonth}
            min={1}
            max={28}
            allowDecimal={false}
            value={values.dayOfMonth}
            onChange={(value) => onChange({ dayOfMonth: Number(value) })}
          />
        </NamedField>
      )}
      {values.frequency !== 'None' && (
        <>
          <NamedField name="time">
            <TextInput
              type="time"
              required
              label={fields.time}
              value={values.time}
              onChange={(event) => onChange({ time: event.currentTarget.value })}
            />
          </NamedField>
          <NamedField name="timeZone">
            <TextInput
              required
              label={fields.timeZone}
              autoComplete="off"
              spellCheck={false}
              value={values.timeZone}
              onChange={(event) => onChange({ timeZone: event.currentTarget.value })}
            />
          </NamedField>
        </>
      )}
    </>
  )
}

/** Webhooks belong to administrators: others see none. */
function WebhookChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const texts = useReportTexts()
  const choices = useWebhookChoices()
  if (!useHasRole('admin.manage')) return null
  return (
    <NamedField name="webhookId">
      <Select
        label={texts.fields.webhook}
        description={texts.webhookHint}
        placeholder={texts.noWebhook}
        clearable
        data={choices}
        value={value || null}
        onChange={(id) => onChange(id ?? '')}
      />
    </NamedField>
  )
}

/** The webhooks by their names; none for those who may not read them. */
export function useWebhookChoices() {
  const { data } = useQuery({
    queryKey: ['webhooks', 'choice'],
    queryFn: () => answerOf(api.GET('/api/webhooks', { params: { query: { top: 200 } } })),
    enabled: useHasRole('admin.manage'),
  })
  return (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
}
