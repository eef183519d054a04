import { deAbout } from './de-about.ts'
import { enAbout } from './en-about.ts'
import { usePageTexts } from './texts.tsx'

export function useAboutTexts(): typeof enAbout {
  return usePageTexts({ en: enAbout, de: deAbout })
}
