import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Answer, DryRun } from './dry-run.ts'

/** What the review panel adds to a request. */
export type RequestOptions = {
  query: { dryRun?: boolean; expectedCount?: number }
  /** The query of an operation that does not take the number of computers: all but mass actions. */
  uncounted: { dryRun?: boolean }
  headers: { 'Idempotency-Key'?: string; 'If-Match'?: string }
}

export type Outcome = {
  text: string
  /** The page that shows what became of the action. */
  to?: string
  undo?: { label: string; run: () => Promise<unknown>; done: string }
}

/** A change that a person makes: first tried out and shown, then carried out as shown. */
export type ReviewedAction<T> = {
  title: string
  /** The button that carries it out. */
  label: string
  /** Inputs of the request. */
  form?: ReactNode
  /** Whether the inputs are complete. True unless given. */
  isComplete?: boolean
  /** Changes with the request so that it is reviewed again. */
  requestKey?: unknown
  /** Sends the request: as a dry run, or with the number of computers that the person has seen. */
  send: (options: RequestOptions) => Promise<Answer<T>>
  /** The version that the person has seen, if the operation checks it. */
  etag?: string
  /** What it will do, in words. */
  describe: (review: DryRun<T>) => ReactNode
  /**
   * How many computers the description says will change, which is what the person types. By default all that the request
   * reaches; of these, some may have nothing to do.
   */
  confirms?: (review: DryRun<T>) => number
  /** Details below the description. */
  details?: (review: DryRun<T>) => ReactNode
  done: (answer: T) => Outcome
  /** The number of computers is typed even if it is small: for reinstalling, deleting and emergency patching. */
  isSevere?: boolean | ((review: DryRun<T>) => boolean)
  /** The queries that show something else afterwards. */
  refreshes?: readonly QueryKey[]
}
