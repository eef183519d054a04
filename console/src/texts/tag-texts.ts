import { deTags } from './de-tags.ts'
import { enTags } from './en-tags.ts'
import { usePageTexts } from './texts.tsx'

export function useTagTexts(): typeof enTags {
  return usePageTexts({ en: enTags, de: deTags })
}
