import { Group, Text } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { IconCloudOff } from '../components/icons.ts'
import { useTexts } from '../texts/texts.tsx'
import { useStreamState } from './use-stream-state.ts'

// A stream that is renewed, for example because a node restarts, is not worth a notice.
const graceMilliseconds = 3_000

/** A quiet notice while changes do not arrive by themselves. */
export function LiveNotice() {
  const { live } = useTexts()
  const isAway = useStreamState() === 'away'
  const [isShown, setIsShown] = useState(false)
  const { start, clear } = useTimeout(() => setIsShown(true), graceMilliseconds)
  useEffect(() => {
    if (isAway) start()
    else {
      clear()
      setIsShown(false)
    }
  }, [isAway, start, clear])
  return (
    <div role="status">
      {isShown && (
        <Group gap={6} mb="sm" wrap="nowrap" c="dimmed">
          <IconCloudOff size={16} aria-hidden />
          <Text size="sm">{live.away}</Text>
        </Group>
      )}
    </div>
  )
}
