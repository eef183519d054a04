import { Text } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/texts.tsx'

const tickMilliseconds = 5_000

/** How old the figures beside it are. */
export function DataAge({ atUtc }: { atUtc: string }) {
  const { common } = useTexts()
  const format = useFormat()
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), tickMilliseconds, { autoInvoke: true })
  return (
    <Text component="time" dateTime={atUtc} title={format.exactDateTime(atUtc)} size="xs" c="dimmed">
      {common.asOf(format.age(atUtc, now))}
    </Text>
  )
}
