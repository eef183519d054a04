import { deDesiredState } from './de-desired-state.ts'
import { enDesiredState } from './en-desired-state.ts'
import { usePageTexts } from './texts.tsx'

export function useDesiredStateTexts(): typeof enDesiredState {
  return usePageTexts({ en: enDesiredState, de: deDesiredState })
}
