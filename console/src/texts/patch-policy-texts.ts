import { dePatchPolicies } from './de-patch-policies.ts'
import { enPatchPolicies } from './en-patch-policies.ts'
import { usePageTexts } from './texts.tsx'

export type PatchPolicyTexts = typeof enPatchPolicies

export function usePatchPolicyTexts(): PatchPolicyTexts {
  return usePageTexts({ en: enPatchPolicies, de: dePatchPolicies })
}
