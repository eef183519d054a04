import { type Language, useTranslation } from './texts.tsx'

/** Chooses among texts that only some pages load. Those of `useTexts` are loaded with every page. */
export function usePageTexts<T>(texts: Record<Language, T>): T {
  return texts[useTranslation().language]
}
