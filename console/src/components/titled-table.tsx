import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

type TitledTableProps = { title: string; hint?: string; actions?: ReactNode; children: ReactNode }

/** A table with a heading. Unlike a section it has no border, because the table has one. */
export function TitledTable({ title, hint, actions, children }: TitledTableProps) {
  const id = useId()
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Group justify="space-between" gap="sm">
        <Title order={2} id={id} className="breakable">
          {title}
        </Title>
        {actions}
      </Group>
      {hint && (
        <Text size="xs" c="dimmed" maw={720}>
          {hint}
        </Text>
      )}
      {children}
    </Stack>
  )
}
