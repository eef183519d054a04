import { deHelp } from './de-help.ts'
import { enHelp } from './en-help.ts'
import { usePageTexts } from './texts.tsx'

export function useHelpTexts(): typeof enHelp {
  return usePageTexts({ en: enHelp, de: deHelp })
}
