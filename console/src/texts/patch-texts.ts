import { dePatches } from './de-patches.ts'
import { enPatches } from './en-patches.ts'
import { usePageTexts } from './texts.tsx'

export type PatchTexts = typeof enPatches

export function usePatchTexts(): PatchTexts {
  return usePageTexts({ en: enPatches, de: dePatches })
}
