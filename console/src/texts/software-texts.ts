import { deSoftware } from './de-software.ts'
import { enSoftware } from './en-software.ts'
import { usePageTexts } from './texts.tsx'

export function useSoftwareTexts(): typeof enSoftware {
  return usePageTexts({ en: enSoftware, de: deSoftware })
}
