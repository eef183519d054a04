import { Group, Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

type SectionProps = { title: string; actions?: ReactNode; children: ReactNode }

/** A part of a page with a heading of its own. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId()
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Group justify="space-between" mb="sm" gap="sm">
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Paper>
  )
}
