import { Text } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'

export function EmptyChart() {
  return (
    <Text size="sm" c="dimmed">
      {useTexts().charts.empty}
    </Text>
  )
}
