import type { components } from '@muster/client'

type PreDownloadOfWork = components['schemas']['PreDownloadOfWork']

/** What a computer has of the content of one work item, in words. */
export function formatPreDownload({ state, fetchedBytes, message }: PreDownloadOfWork): string {
  const arrived = state === 'Fetching' ? `${fetchedBytes} bytes so far` : null
  return [state, arrived, message].filter(Boolean).join(', ')
}
