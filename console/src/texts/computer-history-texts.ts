import { deComputerHistory } from './de-computer-history.ts'
import { enComputerHistory } from './en-computer-history.ts'
import { usePageTexts } from './texts.tsx'

export function useComputerHistoryTexts(): typeof enComputerHistory {
  return usePageTexts({ en: enComputerHistory, de: deComputerHistory })
}
