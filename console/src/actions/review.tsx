import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { FieldReasons, FieldReasonsContext } from '../components/field-reasons.ts'
import { ProblemAlert } from '../components/problem-view.tsx'
import { unguarded } from '../components/use-input-guard.tsx'
import { useSession } from '../shell/session-context.ts'
import { useTexts } from '../texts/texts.tsx'
import { ActionProblem } from './action-problem.tsx'
import type { DryRun } from './dry-run.ts'
import { ReviewSummary } from './review-summary.tsx'
import type { ReviewedAction } from './reviewed-action.ts'
import { type NeededApproval, useReview } from './use-review.ts'

type ReviewProps<T> = { action: ReviewedAction<T>; onClose: () => void }

export function Review<T>({ action, onClose }: ReviewProps<T>) {
  const { actions, common } = useTexts()
  const { review, execution, approval } = useReview(action, onClose)
  const [typed, setTyped] = useState('')
  const count = useCountToType(action, review.data, approval)
  // The review of what was typed before stays while another one is made, but not as the review of an incomplete request.
  const isReviewed = action.isComplete !== false && Boolean(review.data || approval)
  const isConfirmed = count === undefined || typed.replace(/\D/g, '') === String(count)
  // Once the request waits, nobody asks for it a second time.
  const isWaiting = execution.error !== null && asProblem(execution.error).code === 'ApprovalRequired'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Who approves a request sees its computers, so it does not state their number.
    if (isReviewed && isConfirmed) execution.mutate(review.data?.computers)
  }
  const error = execution.error ?? review.error
  const reasons = useMemo(() => new FieldReasons(error), [error])
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // The person has left the field with which something is wrong.
    if (execution.error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [execution.error])
  return (
    <form onSubmit={submit} ref={form}>
      <FieldReasonsContext value={reasons}>
        <Stack>
          {action.form}
          {action.isComplete !== false && (
            <ReviewSummary action={action} review={review.data} isReviewing={review.isFetching} />
          )}
          {!review.data && !approval && <ProblemAlert error={review.error} />}
          {approval && !isWaiting && <ApprovalNeeded approval={approval} />}
          {count !== undefined && !isWaiting && (
            <TextInput
              label={actions.typeCount(count)}
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
              {isWaiting ? common.close : common.cancel}
            </Button>
            {!isWaiting && (
              <Button
                type="submit"
                {...(isSevere(action, review.data) && { color: 'red' })}
                loading={execution.isPending}
                disabled={!isReviewed || review.isFetching || !isConfirmed}
              >
                {approval ? actions.requestApproval : action.label}
              </Button>
            )}
          </Group>
        </Stack>
      </FieldReasonsContext>
    </form>
  )
}

/** The dry run was refused: it says how many computers the request is about, but not what would happen to them. */
function ApprovalNeeded({ approval: { computers, quota, used } }: { approval: NeededApproval }) {
  const { actions } = useTexts()
  return (
    <Alert color="blue" title={actions.approvalTitle}>
      {actions.approvalNeeded(computers, quota, used)}
    </Alert>
  )
}

function isSevere<T>(action: ReviewedAction<T>, review: DryRun<T> | undefined): boolean {
  if (typeof action.isSevere === 'function') return review !== undefined && action.isSevere(review)
  return action.isSevere ?? false
}

/** The number of computers that the person types to confirm; undefined if nothing has to be typed. */
function useCountToType<T>(
  action: ReviewedAction<T>,
  review: DryRun<T> | undefined,
  approval: NeededApproval | undefined,
): number | undefined {
  const { confirmCountAbove } = useSession()
  const count = approval?.computers ?? (review && (action.confirms?.(review) ?? review.computers)) ?? 0
  return count > 0 && (isSevere(action, review) || count > confirmCountAbove) ? count : undefined
}
