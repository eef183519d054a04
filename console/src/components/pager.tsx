import { ActionIcon, Group, Text } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'
import { IconChevronLeft, IconChevronRight } from './icons.ts'

export type PagerProps = {
  skip: number
  top: number
  total: number
  onSkip: (skip: number) => void
  /** What is paged, if a page of the console has several lists. */
  label?: string
}

export function Pager({ skip, top, total, onSkip, label }: PagerProps) {
  const { common } = useTexts()
  if (total === 0) return null
  const pages = `${common.previousPage}, ${common.nextPage}`
  return (
    <Group component="nav" justify="flex-end" gap="xs" p="xs" aria-label={label ? `${label}: ${pages}` : pages}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {common.range(Math.min(skip + 1, total), Math.min(skip + top, total), total)}
      </Text>
      <ActionIcon
        variant="default"
        aria-label={common.previousPage}
        disabled={skip === 0}
        onClick={() => onSkip(Math.max(skip - top, 0))}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={common.nextPage}
        disabled={skip + top >= total}
        onClick={() => onSkip(skip + top)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
