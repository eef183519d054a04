import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProblemView } from '../../../components/problem-view.tsx'

type TabContentProps<T> = {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  children: (data: T) => ReactNode
}

/** What a tab has read, or that it is being read, or why it could not be. */
export function TabContent<T>({ query: { data, error, refetch }, children }: TabContentProps<T>) {
  if (data !== undefined) return children(data)
  if (error) return <ProblemView error={error} onRetry={refetch} />
  return (
    <Stack gap="sm" aria-busy>
      <Skeleton h={40} />
      <Skeleton h={160} />
    </Stack>
  )
}
