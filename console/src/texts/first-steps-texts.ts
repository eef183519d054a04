import { deFirstSteps } from './de-first-steps.ts'
import { enFirstSteps } from './en-first-steps.ts'
import { usePageTexts } from './texts.tsx'

export function useFirstStepsTexts(): typeof enFirstSteps {
  return usePageTexts({ en: enFirstSteps, de: deFirstSteps })
}
