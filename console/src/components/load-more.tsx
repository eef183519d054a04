import { Button, Group } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'

type LoadMoreProps = {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}

/** Below a list that is read page by page. */
export function LoadMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: LoadMoreProps) {
  const { common } = useTexts()
  if (!hasNextPage) return null
  return (
    <Group justify="center" p="sm">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {common.loadMore}
      </Button>
    </Group>
  )
}
