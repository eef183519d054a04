import { dePrincipal } from './de-principal.ts'
import { enPrincipal } from './en-principal.ts'
import { usePageTexts } from './texts.tsx'

export function usePrincipalTexts(): typeof enPrincipal {
  return usePageTexts({ en: enPrincipal, de: dePrincipal })
}
