import { dePalette } from './de-palette.ts'
import { enPalette } from './en-palette.ts'
import { usePageTexts } from './texts.tsx'

export function usePaletteTexts(): typeof enPalette {
  return usePageTexts({ en: enPalette, de: dePalette })
}
