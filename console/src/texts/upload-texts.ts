import { deUploads } from './de-uploads.ts'
import { enUploads } from './en-uploads.ts'
import { usePageTexts } from './texts.tsx'

export function useUploadTexts(): typeof enUploads {
  return usePageTexts({ en: enUploads, de: deUploads })
}
