import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ProblemAlert } from '../components/problem-view.tsx'
import { unguarded } from '../components/use-input-guard.tsx'
import { useSession } from '../shell/session-context.ts'
import { useTexts } from '../texts/texts.tsx'
import { ActionProblem } from './action-problem.tsx'
import { ReviewSummary } from './review-summary.tsx'
import type { ReviewedAction } from './reviewed-action.ts'
import { useReview } from './use-review.ts'

type ReviewProps<T> = { action: ReviewedAction<T>; onClose: () => void }

export function Review<T>({ action, onClose }: ReviewProps<T>) {
  const { actions, common } = useTexts()
  const { confirmCountAbove } = useSession()
  const { review, execution } = useReview(action, onClose)
  const [typed, setTyped] = useState('')
  const computers = review.data?.computers ?? 0
  const isSevere =
    typeof action.isSevere === 'function' ? review.data !== undefined && action.isSevere(review.data) : action.isSevere
  const needsCount = computers > 0 && (isSevere || computers > confirmCountAbove)
  const isConfirmed = !needsCount || typed.replace(/\D/g, '') === String(computers)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (review.data && isConfirmed) execution.mutate(review.data)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {action.form}
        {action.isComplete !== false && (
          <ReviewSummary action={action} review={review.data} isReviewing={review.isFetching} />
        )}
        {!review.data && <ProblemAlert error={review.error} />}
        {needsCount && (
          <TextInput
            label={actions.typeCount(computers)}
            {...unguarded}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <ActionProblem error={execution.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button
            type="submit"
            {...(isSevere && { color: 'red' })}
            loading={execution.isPending}
            disabled={!review.data || review.isFetching || !isConfirmed}
          >
            {action.label}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
