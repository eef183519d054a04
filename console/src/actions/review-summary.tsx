import { Alert, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '../components/icons.ts'
import { useTexts } from '../texts/texts.tsx'
import type { DryRun } from './dry-run.ts'
import type { ReviewedAction } from './reviewed-action.ts'

type SummaryProps<T> = { action: ReviewedAction<T>; review: DryRun<T> | undefined; isReviewing: boolean }

/** What the dry run has shown. Screen readers announce it when it changes. */
export function ReviewSummary<T>({ action, review, isReviewing }: SummaryProps<T>) {
  const { actions } = useTexts()
  return (
    <Stack gap="xs" aria-live="polite" aria-busy={isReviewing}>
      {!review && isReviewing && <Skeleton h={20} role="status" aria-label={actions.reviewing} />}
      {review && (
        <>
          <Text className="breakable" component="div">
            {action.describe(review)}
          </Text>
          {review.computers === 0 && <Text c="dimmed">{actions.noComputers}</Text>}
          {review.away !== undefined && review.away > 0 && (
            <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
              {actions.away(review.away)}
            </Alert>
          )}
          {action.details?.(review)}
        </>
      )}
    </Stack>
  )
}
