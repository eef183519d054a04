import { type ReactNode, useEffect, useState } from 'react'
import { EventStream } from './event-stream.ts'
import { LiveContext } from './live-context.ts'

/** Follows the events of the service for all pages, over one connection. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [stream] = useState(() => new EventStream())
  useEffect(() => {
    stream.open()
    return () => stream.close()
  }, [stream])
  return <LiveContext value={stream}>{children}</LiveContext>
}
