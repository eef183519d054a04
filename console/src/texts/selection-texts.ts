import { deSelection } from './de-selection.ts'
import { enSelection } from './en-selection.ts'
import { usePageTexts } from './texts.tsx'

export type SelectionTexts = typeof enSelection

export function useSelectionTexts(): SelectionTexts {
  return usePageTexts({ en: enSelection, de: deSelection })
}
