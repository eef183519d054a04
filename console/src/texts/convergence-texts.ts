import { deConvergence } from './de-convergence.ts'
import { enConvergence } from './en-convergence.ts'
import { type Language, useTranslation } from './texts.tsx'

const textsOf: Record<Language, typeof enConvergence> = { en: enConvergence, de: deConvergence }

/** The texts of convergence. They are not among the other texts, which every page loads. */
export function useConvergenceTexts(): typeof enConvergence {
  return textsOf[useTranslation().language]
}
