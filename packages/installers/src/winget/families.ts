import type { ExeFacts, ExeFamily } from '../facts.ts'
import { silentInstallationOf } from '../proposal/exe-families.ts'
import { restartCodes } from '../proposal/windows.ts'

/** Types of installers of winget that are programs or MSI files. */
export const convertedTypes = ['msi', 'wix', 'burn', 'inno', 'nullsoft', 'exe'] as const
export type ConvertedType = (typeof convertedTypes)[number]

export const isConvertedType = (type: string | undefined): type is ConvertedType =>
  convertedTypes.some((one) => one === type)

export const isMsi = (type: ConvertedType) => type === 'msi' || type === 'wix'

const families: Partial<Record<ConvertedType, ExeFamily>> = { burn: 'burn', inno: 'inno', nullsoft: 'nsis' }

/** How programs of the type install without questions, if all of them do it in the same way. */
export function familySilence(type: ConvertedType): { words: readonly string[]; reason: string } | undefined {
  const family = families[type]
  if (!family) return undefined
  const facts: ExeFacts = { format: 'exe', family, versionTexts: {} }
  return silentInstallationOf(facts)
}

/** Return codes for a restart that every program of the type may use. */
export const familyRebootCodes: Record<ConvertedType, readonly number[]> = {
  msi: restartCodes,
  wix: restartCodes,
  burn: restartCodes,
  // The switches ask for it.
  inno: [3010],
  nullsoft: [],
  exe: [],
}

/** How programs of the type are removed without questions, if they have registered no such command. */
export const removalSilence: Partial<Record<ConvertedType, string>> = {
  inno: '/VERYSILENT /SUPPRESSMSGBOXES /NORESTART',
  nullsoft: '/S',
  burn: '/quiet /norestart',
}
