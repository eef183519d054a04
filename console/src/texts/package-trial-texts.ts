import { dePackageTrials } from './de-package-trials.ts'
import { enPackageTrials } from './en-package-trials.ts'
import { usePageTexts } from './texts.tsx'

export function usePackageTrialTexts(): typeof enPackageTrials {
  return usePageTexts({ en: enPackageTrials, de: dePackageTrials })
}
