import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { LiveEvent } from './event-stream.ts'
import { useEventStream } from './live-context.ts'
import { useStreamState } from './use-stream-state.ts'

type LiveOptions = {
  /** Types of events; `*` at the end stands for any. */
  types: readonly string[]
  /** Only events about this computer, and those about many. */
  computerId?: number
  /** The queries that show something else after such an event. */
  refreshes: readonly QueryKey[]
}

// A large rollout has many events per second; nobody reads figures that change faster.
const refreshMilliseconds = 2_000
const pollMilliseconds = 15_000

/** Keeps queries current: by the events of the service, and by polling while they cannot be read. */
export function useLive({ types, computerId, refreshes }: LiveOptions): void {
  const stream = useEventStream()
  const queryClient = useQueryClient()
  const isAway = useStreamState() === 'away'
  const content = JSON.stringify({ types, computerId, refreshes })
  const { refresh, subscription } = useMemo(() => {
    const options = JSON.parse(content) as LiveOptions
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastRefresh = 0
    const now = () => {
      lastRefresh = Date.now()
      for (const queryKey of options.refreshes) void queryClient.invalidateQueries({ queryKey })
    }
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(now, Math.max(100, lastRefresh + refreshMilliseconds - Date.now()))
    }
    const concerns = ({ data }: LiveEvent) =>
      options.computerId === undefined || data.computerId === undefined || data.computerId === options.computerId
    return {
      refresh: now,
      subscription: {
        types: options.types,
        onEvent: (event: LiveEvent) => {
          if (concerns(event)) soon()
        },
        onReturn: soon,
        cancel: () => clearTimeout(timer),
      },
    }
  }, [content, queryClient])
  useEffect(() => {
    const unsubscribe = stream.subscribe(subscription)
    return () => {
      unsubscribe()
      subscription.cancel()
    }
  }, [stream, subscription])
  useEffect(() => {
    if (!isAway) return
    const timer = setInterval(refresh, pollMilliseconds)
    return () => clearInterval(timer)
  }, [isAway, refresh])
}
