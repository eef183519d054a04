import { deOsInstallation } from './de-os-installation.ts'
import { enOsInstallation } from './en-os-installation.ts'
import { usePageTexts } from './texts.tsx'

export function useOsInstallationTexts(): typeof enOsInstallation {
  return usePageTexts({ en: enOsInstallation, de: deOsInstallation })
}
