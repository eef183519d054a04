import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { FocusEventHandler, ReactNode } from 'react'
import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/texts.tsx'

/** The time that many days from now; null for never. */
export type DateChoice = { label: string; days: number | null }

type DateTimeFieldProps = {
  label: string
  description?: string
  /** ISO 8601 in UTC. It changes only on input, so seconds that the field does not show are preserved. */
  value: string | null
  onChange: (value: string | null) => void
  error?: ReactNode
  choices?: readonly DateChoice[]
  withZone?: boolean
  onFocus?: FocusEventHandler
  onBlur?: FocusEventHandler
  'data-path'?: string
}

const dayInMs = 86_400_000

export const inDays = (days: number) => new Date(Date.now() + days * dayInMs).toISOString()

/** The native picker of the browser: it accepts typing, works by keyboard and is familiar on phones. */
export function DateTimeField({
  value,
  onChange,
  choices = [],
  description,
  withZone = true,
  ...input
}: DateTimeFieldProps) {
  const { common } = useTexts()
  const format = useFormat()
  const zone = common.timeZone(format.zoneAt(value ? new Date(value) : new Date()))
  return (
    <Stack gap={6}>
      <TextInput
        {...input}
        type="datetime-local"
        description={[description, withZone && zone].filter(Boolean).join(' ')}
        value={localInput(value)}
        onChange={(event) => onChange(fromLocalInput(event.currentTarget.value))}
        max="9999-12-31T23:59"
      />
      {choices.length > 0 && (
        <Group gap={6}>
          {choices.map(({ label, days }) => (
            <Button
              key={label}
              size="compact-xs"
              variant="default"
              onClick={() => onChange(days === null ? null : inDays(days))}
            >
              {label}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  )
}

function localInput(instant: string | null): string {
  if (!instant) return ''
  const date = new Date(instant)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

function fromLocalInput(text: string): string | null {
  return text === '' ? null : new Date(text).toISOString()
}
