import { deTableLayout } from './de-table-layout.ts'
import { enTableLayout } from './en-table-layout.ts'
import { usePageTexts } from './texts.tsx'

export type TableLayoutTexts = typeof enTableLayout

export function useTableLayoutTexts(): TableLayoutTexts {
  return usePageTexts({ en: enTableLayout, de: deTableLayout })
}
