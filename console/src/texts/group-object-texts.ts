import { deGroupObjects } from './de-group-objects.ts'
import { enGroupObjects } from './en-group-objects.ts'
import { usePageTexts } from './texts.tsx'

export function useGroupObjectTexts(): typeof enGroupObjects {
  return usePageTexts({ en: enGroupObjects, de: deGroupObjects })
}
