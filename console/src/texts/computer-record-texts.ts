import { deComputerRecord } from './de-computer-record.ts'
import { enComputerRecord } from './en-computer-record.ts'
import { usePageTexts } from './texts.tsx'

export function useComputerRecordTexts(): typeof enComputerRecord {
  return usePageTexts({ en: enComputerRecord, de: deComputerRecord })
}
