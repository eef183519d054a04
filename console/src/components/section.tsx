import { Group, Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './section.module.css'

type SectionProps = {
  /** The part of the address that scrolls to it. */
  id?: string
  title: string
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page with a heading of its own. */
export function Section({ id, title, actions, children }: SectionProps) {
  const titleId = useId()
  return (
    <Paper
      component="section"
      withBorder
      p="md"
      {...(id && { id, className: classes.target })}
      aria-labelledby={titleId}
    >
      <Group justify="space-between" mb="sm" gap="sm">
        <Title order={2} id={titleId}>
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Paper>
  )
}
