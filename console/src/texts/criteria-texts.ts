import { deCriteria } from './de-criteria.ts'
import { enCriteria } from './en-criteria.ts'
import { usePageTexts } from './texts.tsx'

export function useCriteriaTexts(): typeof enCriteria {
  return usePageTexts({ en: enCriteria, de: deCriteria })
}
