import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import type { Texts } from './en.ts'

export type { Texts }

const languages = {
  en: () => import('./en.ts').then(({ en }): Texts => en),
  de: () => import('./de.ts').then(({ de }): Texts => de),
}

export type Language = keyof typeof languages

export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' }

const storageKey = 'muster.language'
const isLanguage = (name: string | null): name is Language => name !== null && name in languages

/** The language chosen before, otherwise the first supported language of the browser. */
export function preferredLanguage(): Language {
  const chosen = localStorage.getItem(storageKey)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'
}

export type Translation = { language: Language; texts: Texts }

export async function loadTranslation(language: Language): Promise<Translation> {
  return { language, texts: await languages[language]() }
}

type TranslationContext = Translation & { choose(language: Language): Promise<void> }

const Context = createContext<TranslationContext | undefined>(undefined)

export function TextsProvider({ initial, children }: { initial: Translation; children: ReactNode }) {
  const [translation, setTranslation] = useState(initial)
  const choose = useCallback(async (language: Language) => {
    localStorage.setItem(storageKey, language)
    setTranslation(await loadTranslation(language))
  }, [])
  useEffect(() => {
    document.documentElement.lang = translation.language
  }, [translation.language])
  const value = useMemo(() => ({ ...translation, choose }), [translation, choose])
  return <Context value={value}>{children}</Context>
}

export function useTranslation(): TranslationContext {
  const context = use(Context)
  if (!context) throw new Error('useTranslation needs a TextsProvider')
  return context
}

export function useTexts(): Texts {
  return useTranslation().texts
}

/** Chooses among texts that only some pages load. Those of `useTexts` are loaded with every page. */
export function usePageTexts<T>(texts: Record<Language, T>): T {
  return texts[useTranslation().language]
}

/** Finds the text for a key that is only known at run time. */
export function textFor(texts: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}
