import { deRollouts } from './de-rollouts.ts'
import { enRollouts } from './en-rollouts.ts'
import { usePageTexts } from './texts.tsx'

export type RolloutTexts = typeof enRollouts

export function useRolloutTexts(): RolloutTexts {
  return usePageTexts({ en: enRollouts, de: deRollouts })
}
