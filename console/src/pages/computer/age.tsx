import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import { useFormat } from '../../texts/format.ts'

const tickMilliseconds = 10_000

/** How long ago something was, with the exact time as a tooltip. */
export function Age({ atUtc }: { atUtc: string }) {
  const format = useFormat()
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), tickMilliseconds, { autoInvoke: true })
  return (
    <time dateTime={atUtc} title={format.exactDateTime(atUtc)}>
      {format.age(atUtc, now)}
    </time>
  )
}
