import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useNavigate } from 'react-router'
import { asProblem } from '../api/problem.ts'
import { useIdempotencyKey } from '../components/use-idempotency-key.ts'
import { dryRunOf } from './dry-run.ts'
import type { ReviewedAction } from './reviewed-action.ts'
import { useShowOutcome } from './use-show-outcome.tsx'

/** Tries the action out whenever its request changes, and carries it out as reviewed. */
export function useReview<T>(action: ReviewedAction<T>, onDone: () => void) {
  const id = useId()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const showOutcome = useShowOutcome()
  const keyFor = useIdempotencyKey()
  const review = useQuery({
    queryKey: ['review', id, action.requestKey],
    queryFn: () => dryRunOf(action.send({ query: dryRun, uncounted: dryRun, headers: versionHeader(action) })),
    enabled: action.isComplete !== false,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const execution = useMutation({
    async mutationFn(computers: number | undefined) {
      const { data } = await action.send({
        query: computers === undefined ? {} : { expectedCount: computers },
        uncounted: {},
        headers: { ...versionHeader(action), 'Idempotency-Key': keyFor([action.requestKey, computers, action.etag]) },
      })
      return data as T
    },
    onSuccess(answer) {
      const outcome = action.done(answer)
      for (const queryKey of action.refreshes ?? []) void queryClient.invalidateQueries({ queryKey })
      showOutcome(outcome, action.refreshes)
      onDone()
      if (outcome.to) void navigate(outcome.to)
    },
    onError(error) {
      // What the person has seen is no longer true: it is shown as it is now, and confirmed again.
      const { code, status } = asProblem(error)
      if (code !== 'UnexpectedCount' && status !== 412) return
      for (const queryKey of action.refreshes ?? []) void queryClient.invalidateQueries({ queryKey })
      void review.refetch()
    },
  })
  return { review, execution, approval: review.data ? undefined : approvalFor(review.error) }
}

/** What a dry run says that the quota of the caller does not cover. */
export type NeededApproval = { computers: number; quota: number; used: number | null }

function approvalFor(error: unknown): NeededApproval | undefined {
  if (!error) return undefined
  const { code, details } = asProblem(error)
  if (code !== 'ApprovalRequired') return undefined
  const { computerCount, quota, usedInLastHour } = details
  return {
    computers: Number(computerCount),
    quota: Number(quota),
    used: typeof usedInLastHour === 'number' ? usedInLastHour : null,
  }
}

const dryRun = { dryRun: true }

const versionHeader = ({ etag }: { etag?: string }) => (etag === undefined ? {} : { 'If-Match': etag })
