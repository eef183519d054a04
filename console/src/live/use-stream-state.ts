import { useCallback, useSyncExternalStore } from 'react'
import type { StreamState } from './event-stream.ts'
import { useEventStream } from './live-context.ts'

export function useStreamState(): StreamState {
  const stream = useEventStream()
  const subscribe = useCallback(
    (onChange: () => void) => {
      stream.addEventListener('change', onChange)
      return () => stream.removeEventListener('change', onChange)
    },
    [stream],
  )
  return useSyncExternalStore(subscribe, () => stream.state)
}
