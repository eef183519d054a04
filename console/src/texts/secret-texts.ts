import { deSecrets } from './de-secrets.ts'
import { enSecrets } from './en-secrets.ts'
import { usePageTexts } from './texts.tsx'

export function useSecretTexts(): typeof enSecrets {
  return usePageTexts({ en: enSecrets, de: deSecrets })
}
