import { deConvergence } from './de-convergence.ts'
import { enConvergence } from './en-convergence.ts'
import { usePageTexts } from './texts.tsx'

export function useConvergenceTexts(): typeof enConvergence {
  return usePageTexts({ en: enConvergence, de: deConvergence })
}
