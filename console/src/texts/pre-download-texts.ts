import { dePreDownloads } from './de-pre-downloads.ts'
import { enPreDownloads } from './en-pre-downloads.ts'
import { usePageTexts } from './texts.tsx'

export function usePreDownloadTexts(): typeof enPreDownloads {
  return usePageTexts({ en: enPreDownloads, de: dePreDownloads })
}
