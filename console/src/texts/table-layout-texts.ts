import { deTableLayout } from './de-table-layout.ts'
import { enTableLayout } from './en-table-layout.ts'
import { usePageTexts } from './texts.tsx'

export function useTableLayoutTexts(): typeof enTableLayout {
  return usePageTexts({ en: enTableLayout, de: deTableLayout })
}
