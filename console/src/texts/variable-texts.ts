import { deVariables } from './de-variables.ts'
import { enVariables } from './en-variables.ts'
import { usePageTexts } from './texts.tsx'

export function useVariableTexts(): typeof enVariables {
  return usePageTexts({ en: enVariables, de: deVariables })
}
