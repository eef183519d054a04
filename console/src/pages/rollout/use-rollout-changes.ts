import type { ReviewedAction } from '../../actions/reviewed-action.ts'
import { api } from '../../api/client.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Rollout } from './describe.ts'

export type RolloutChanges = ReturnType<typeof useRolloutChanges>

/** The changes of a rollout. Pausing and resuming undo each other. */
export function useRolloutChanges({ rolloutId: id, rings }: Rollout, etag: string) {
  const { actions: texts } = useRolloutTexts()
  const path = { id }
  const refreshes = [['rollout', id], ['rollouts'], ['tasks']]
  const shared = { etag, refreshes }
  // Rings that wait are part of what a cancellation prevents.
  const waiting = rings.reduce((sum, { computers }) => sum + computers.unreleased + computers.pending, 0)

  const advance: ReviewedAction<Rollout> = {
    ...shared,
    title: texts.advanceTitle,
    label: texts.advance,
    requestKey: ['advance', id],
    send: ({ query, headers }) => api.POST('/api/rollouts/{id}/advance', { params: { path, query, header: headers } }),
    describe: ({ computers = 0 }) => texts.advanceText(computers),
    done: () => ({ text: texts.advanced }),
  }

  const retry: ReviewedAction<Rollout> = {
    ...shared,
    title: texts.retryTitle,
    label: texts.retryTask,
    requestKey: ['retry', id],
    send: ({ query, headers }) => api.POST('/api/rollouts/{id}/retry', { params: { path, query, header: headers } }),
    describe: ({ computers = 0 }) => texts.retryText(computers),
    done: () => ({ text: texts.retried }),
  }

  const cancel: ReviewedAction<Rollout> = {
    ...shared,
    title: texts.cancelTitle,
    label: texts.cancel,
    requestKey: ['cancel', id],
    isSevere: true,
    send: ({ uncounted: query, headers }) =>
      api.POST('/api/rollouts/{id}/cancel', { params: { path, query, header: headers } }),
    describe: () => texts.cancelText(waiting),
    done: () => ({ text: texts.cancelled }),
  }

  return { ...usePauseAndResume(id, shared), advance, retry, cancel }
}

type Shared = Pick<ReviewedAction<Rollout>, 'etag' | 'refreshes'>

function usePauseAndResume(id: string, shared: Shared) {
  const rollouts = useRolloutTexts()
  const { actions: common } = useTexts()
  const texts = rollouts.actions
  const path = { id }

  const pause = (reason: string): ReviewedAction<Rollout> => ({
    ...shared,
    title: texts.pauseTitle,
    label: texts.pause,
    requestKey: ['pause', id, reason],
    send: ({ uncounted: query, headers }) =>
      api.POST('/api/rollouts/{id}/pause', {
        params: { path, query, header: headers },
        body: { reason: reason.trim() || null },
      }),
    describe: () => texts.pauseText,
    done: () => ({
      text: texts.paused,
      undo: {
        label: common.undo,
        run: () => api.POST('/api/rollouts/{id}/resume', { params: { path } }),
        done: texts.resumed,
      },
    }),
  })

  const resume: ReviewedAction<Rollout> = {
    ...shared,
    title: texts.resumeTitle,
    label: texts.resume,
    requestKey: ['resume', id],
    send: ({ query, headers }) => api.POST('/api/rollouts/{id}/resume', { params: { path, query, header: headers } }),
    describe: ({ computers = 0 }) => texts.resumeText(computers),
    done: () => ({
      text: texts.resumed,
      undo: {
        label: common.undo,
        run: () => api.POST('/api/rollouts/{id}/pause', { params: { path } }),
        done: texts.paused,
      },
    }),
  }

  return { pause, resume }
}
