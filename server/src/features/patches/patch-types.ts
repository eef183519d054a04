/** The kinds of patches and the numbers by which other systems know them. */
export const patchTypes = {
  SecurityPatch: 1,
  SoftwareDistribution: 2,
  SecurityTool: 4,
  NonSecurityPatch: 8,
  CustomAction: 16,
} as const

export type PatchType = keyof typeof patchTypes

export const patchTypeNames = Object.keys(patchTypes) as PatchType[]

/** The type that a name or a number means, which may be written as a text. */
export function parsePatchType(value: string | number): PatchType | undefined {
  return patchTypeNames.find((name) => name === value || patchTypes[name] === Number(value))
}

const words: Record<PatchType, string> = {
  SecurityPatch: 'Security patch',
  SoftwareDistribution: 'Software distribution',
  SecurityTool: 'Security tool',
  NonSecurityPatch: 'Non-security patch',
  CustomAction: 'Custom action',
}

/** In words for people. */
export const formatPatchType = (type: PatchType) => words[type]
