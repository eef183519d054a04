import { Skeleton } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'

/** Keeps the place of something that is being read, and says so to screen readers. */
export function Loading({ height }: { height: number }) {
  const { common } = useTexts()
  return <Skeleton h={height} role="status" aria-label={common.loading} />
}
