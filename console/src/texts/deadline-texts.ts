import { deDeadlines } from './de-deadlines.ts'
import { enDeadlines } from './en-deadlines.ts'
import { usePageTexts } from './texts.tsx'

export type DeadlineTexts = typeof enDeadlines

export function useDeadlineTexts(): DeadlineTexts {
  return usePageTexts({ en: enDeadlines, de: deDeadlines })
}
