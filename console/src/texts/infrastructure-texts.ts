import { deInfrastructure } from './de-infrastructure.ts'
import { enInfrastructure } from './en-infrastructure.ts'
import { usePageTexts } from './texts.tsx'

export function useInfrastructureTexts(): typeof enInfrastructure {
  return usePageTexts({ en: enInfrastructure, de: deInfrastructure })
}
