import { dePackageLines } from './de-package-lines.ts'
import { enPackageLines } from './en-package-lines.ts'
import { usePageTexts } from './texts.tsx'

export function usePackageLineTexts(): typeof enPackageLines {
  return usePageTexts({ en: enPackageLines, de: dePackageLines })
}
