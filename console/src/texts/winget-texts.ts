import { deWinget } from './de-winget.ts'
import { enWinget } from './en-winget.ts'
import { usePageTexts } from './texts.tsx'

export function useWingetTexts(): typeof enWinget {
  return usePageTexts({ en: enWinget, de: deWinget })
}
