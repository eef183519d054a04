import { deEventFeed } from './de-event-feed.ts'
import { enEventFeed } from './en-event-feed.ts'
import { usePageTexts } from './texts.tsx'

export function useEventFeedTexts(): typeof enEventFeed {
  return usePageTexts({ en: enEventFeed, de: deEventFeed })
}
