import { createContext, use } from 'react'
import type { EventStream } from './event-stream.ts'

export const LiveContext = createContext<EventStream | undefined>(undefined)

export function useEventStream(): EventStream {
  const stream = use(LiveContext)
  if (!stream) throw new Error('useEventStream needs a LiveProvider')
  return stream
}
