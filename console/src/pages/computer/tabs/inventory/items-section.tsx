import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Facts } from '../../../../components/facts.tsx'
import { Section } from '../../../../components/section.tsx'

type ItemsSectionProps<T> = {
  title: string
  items: readonly T[]
  children: (item: T) => readonly (readonly [string, ReactNode])[]
}

/** A section with the facts of each item, or none at all if there is no item. */
export function ItemsSection<T>({ title, items, children }: ItemsSectionProps<T>) {
  if (items.length === 0) return null
  return (
    <Section title={title}>
      <Stack gap="md">
        {items.map((item) => (
          <Facts key={JSON.stringify(item)} rows={children(item)} />
        ))}
      </Stack>
    </Section>
  )
}
