import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { applyNext, type Planned } from './state-requests.ts'

export type ApplyState =
  | { phase: 'idle' }
  | { phase: 'running'; made: number; isStopping: boolean }
  /** Stopped by the person, or by the problem. What is made stays made. */
  | { phase: 'stopped'; made: number; error?: unknown }
  | { phase: 'done'; made: number }

/** Applies a plan in parts, until it is done, stopped or refused. */
export function useApply() {
  const [state, setState] = useState<ApplyState>({ phase: 'idle' })
  const isStopping = useRef(false)
  const queryClient = useQueryClient()
  const run = async (planned: Planned, secrets: Record<string, string>, before: number) => {
    let made = before
    let left = Number.POSITIVE_INFINITY
    isStopping.current = false
    setState({ phase: 'running', made, isStopping: false })
    try {
      while (left > 0 && !isStopping.current) {
        const { applied, remaining } = await applyNext(planned, secrets)
        if (remaining >= left) throw new Error('The service makes no progress.')
        left = remaining
        made += applied
        setState({ phase: 'running', made, isStopping: isStopping.current })
      }
      setState(left === 0 ? { phase: 'done', made } : { phase: 'stopped', made })
    } catch (error) {
      setState({ phase: 'stopped', made: made + madeBefore(error), error })
    } finally {
      // Anything may have changed.
      void queryClient.invalidateQueries()
    }
  }
  return {
    state,
    start: (planned: Planned, secrets: Record<string, string>) =>
      run(planned, secrets, state.phase === 'stopped' ? state.made : 0),
    /** Ends after the changes that are being made. */
    stop() {
      isStopping.current = true
      setState((now) => (now.phase === 'running' ? { ...now, isStopping: true } : now))
    },
    reset: () => setState({ phase: 'idle' }),
  }
}

/** The changes that a refused request has made before the step that was refused. */
function madeBefore(error: unknown): number {
  const { details } = Object(error) as { details?: { applied?: unknown } }
  return typeof details?.applied === 'number' ? details.applied : 0
}
