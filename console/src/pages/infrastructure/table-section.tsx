import { Group, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

type TableSectionProps = { title: string; actions?: ReactNode; children: ReactNode }

/** A heading above a table, which has a frame of its own. */
export function TableSection({ title, actions, children }: TableSectionProps) {
  const id = useId()
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Group justify="space-between" gap="sm">
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
