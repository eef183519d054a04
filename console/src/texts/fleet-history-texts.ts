import { deFleetHistory } from './de-fleet-history.ts'
import { enFleetHistory } from './en-fleet-history.ts'
import { usePageTexts } from './texts.tsx'

export function useFleetHistoryTexts(): typeof enFleetHistory {
  return usePageTexts({ en: enFleetHistory, de: deFleetHistory })
}
