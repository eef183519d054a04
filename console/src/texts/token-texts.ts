import { deTokens } from './de-tokens.ts'
import { enTokens } from './en-tokens.ts'
import { usePageTexts } from './texts.tsx'

export function useTokenTexts(): typeof enTokens {
  return usePageTexts({ en: enTokens, de: deTokens })
}
