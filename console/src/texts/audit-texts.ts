import { deAudit } from './de-audit.ts'
import { enAudit } from './en-audit.ts'
import { usePageTexts } from './texts.tsx'

export function useAuditTexts(): typeof enAudit {
  return usePageTexts({ en: enAudit, de: deAudit })
}
