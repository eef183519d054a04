import { Anchor, Group, Progress, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useFormat } from '../texts/format.ts'
import { type StatusKind, statusColours } from './status-kinds.ts'

export type OutcomePart = { kind: StatusKind; value: number; label: string; to?: string }

/** What is open is not an outcome yet: it looks like an empty part of the bar. */
const barColours: Record<StatusKind, string> = { ...statusColours, neutral: 'var(--open-work-colour)' }

type OutcomeBarProps = {
  /** What the parts add up to, for screen readers. */
  label: string
  parts: readonly OutcomePart[]
  /** Without the numbers below the bar, for tables. */
  isCompact?: boolean
}

/** Shares of a whole as a bar, with their numbers in words. */
export function OutcomeBar({ label, parts, isCompact = false }: OutcomeBarProps) {
  const format = useFormat()
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const shown = parts.filter(({ value }) => value > 0)
  const words = shown.map((part) => `${part.label}: ${format.number(part.value)}`).join(', ')
  return (
    <div>
      <Progress.Root size={isCompact ? 'md' : 'lg'} role="img" aria-label={words ? `${label}: ${words}` : label}>
        {shown.map((part) => (
          <Progress.Section
            key={part.label}
            value={(part.value / total) * 100}
            color={barColours[part.kind]}
            aria-hidden
          />
        ))}
      </Progress.Root>
      {!isCompact && (
        <Group gap="md" mt={6}>
          {shown.map((part) => (
            <OutcomeNumber key={part.label} {...part} />
          ))}
        </Group>
      )}
    </div>
  )
}

function OutcomeNumber({ value, label, to }: OutcomePart) {
  const format = useFormat()
  const text = `${format.number(value)} ${label}`
  if (!to) return <Text size="sm">{text}</Text>
  return (
    <Anchor component={Link} to={to} size="sm">
      {text}
    </Anchor>
  )
}
