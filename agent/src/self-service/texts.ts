import { german } from './texts-de.ts'
import { english, type Texts } from './texts-en.ts'

export type { Texts } from './texts-en.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

export const textsOf = (language: Language): Texts => (language === 'de' ? german : english)

/** The language that the user has chosen, otherwise the first that the browser asks for and the page has. */
export function chooseLanguage(chosen: string | null, accepted: string | undefined): Language {
  const wanted = [chosen ?? '', ...(accepted ?? '').split(',').map((part) => part.split(';')[0] ?? '')]
  for (const one of wanted) {
    const found = languages.find((language) => one.trim().toLowerCase().startsWith(language))
    if (found) return found
  }
  return 'en'
}

/** The text of a key that the server has chosen. */
export function textFor(texts: Record<string, string>, key: string | null): string | undefined {
  return key !== null && Object.hasOwn(texts, key) ? texts[key] : undefined
}
