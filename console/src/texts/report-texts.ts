import { deReports } from './de-reports.ts'
import { enReports } from './en-reports.ts'
import { usePageTexts } from './texts.tsx'

export function useReportTexts(): typeof enReports {
  return usePageTexts({ en: enReports, de: deReports })
}
