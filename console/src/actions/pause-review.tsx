import { useState } from 'react'
import type { Versioned } from '../api/client.ts'
import type { Answer } from './dry-run.ts'
import { ReviewPanel } from './review-panel.tsx'
import type { RequestOptions, ReviewedAction } from './reviewed-action.ts'
import type { PanelProps } from './use-panels.ts'

type PauseTexts = {
  pauseTitle: (name: string) => string
  resumeTitle: (name: string) => string
} & Record<'pause' | 'resume' | 'pauses' | 'resumes' | 'paused' | 'resumed', string>

type PauseReviewProps<A> = PanelProps & {
  version: Versioned<{ name: string; isPaused: boolean }>
  texts: PauseTexts
  send: (options: RequestOptions, body: { isPaused: boolean }) => Promise<Answer<A>>
  refreshes: NonNullable<ReviewedAction<A>['refreshes']>
}

/** Pauses something, or lets it continue: whichever the person chose, even if somebody else does the same meanwhile. */
export function PauseReview<A>({ version: { value, etag }, texts, send, refreshes, ...panel }: PauseReviewProps<A>) {
  const [isPaused] = useState(!value.isPaused)
  return (
    <ReviewPanel<A>
      {...panel}
      action={{
        title: isPaused ? texts.pauseTitle(value.name) : texts.resumeTitle(value.name),
        label: isPaused ? texts.pause : texts.resume,
        requestKey: [isPaused, etag],
        etag,
        send: (options) => send(options, { isPaused }),
        describe: () => (isPaused ? texts.pauses : texts.resumes),
        done: () => ({ text: isPaused ? texts.paused : texts.resumed }),
        refreshes,
      }}
    />
  )
}
