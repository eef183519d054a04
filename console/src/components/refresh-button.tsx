import { ActionIcon } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'
import { IconRefresh } from './icons.ts'

export function RefreshButton({ isFetching, refetch }: { isFetching: boolean; refetch: () => Promise<unknown> }) {
  const { common } = useTexts()
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={common.refresh}
      loading={isFetching}
      onClick={() => void refetch()}
    >
      <IconRefresh size={18} aria-hidden />
    </ActionIcon>
  )
}
