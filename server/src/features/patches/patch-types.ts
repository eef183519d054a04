/** The types of patches, with the numbers that other systems use for them. */
export const patchTypes = {
  SecurityPatch: 1,
  SoftwareDistribution: 2,
  SecurityTool: 4,
  NonSecurityPatch: 8,
  CustomAction: 16,
} as const

export type PatchType = keyof typeof patchTypes

export const patchTypeNames = Object.keys(patchTypes) as PatchType[]

/** The type with this name or number. A number may be given as text. */
export function parsePatchType(value: string | number): PatchType | undefined {
  return patchTypeNames.find((name) => name === value || patchTypes[name] === Number(value))
}

const labels: Record<PatchType, string> = {
  SecurityPatch: 'Security patch',
  SoftwareDistribution: 'Software distribution',
  SecurityTool: 'Security tool',
  NonSecurityPatch: 'Non-security patch',
  CustomAction: 'Custom action',
}

export const formatPatchType = (type: PatchType) => labels[type]
