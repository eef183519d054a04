import { deComputerWhy } from './de-computer-why.ts'
import { enComputerWhy } from './en-computer-why.ts'
import { type Language, useTranslation } from './texts.tsx'

const textsOf: Record<Language, typeof enComputerWhy> = { en: enComputerWhy, de: deComputerWhy }

/** The texts of explanations. They are not among the other texts, which every page loads. */
export function useWhyTexts(): typeof enComputerWhy {
  return textsOf[useTranslation().language]
}
