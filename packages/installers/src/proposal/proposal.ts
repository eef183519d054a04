import type { PackageManifest } from '@muster/package-format'

/** How sure a line is: the file says so, it follows from a rule with exceptions, or a person should check it. */
export const confidences = ['certain', 'likely', 'guess'] as const
export type Confidence = (typeof confidences)[number]

export type ProposedValue =
  | string
  | number
  | boolean
  | readonly ProposedValue[]
  | { readonly [name: string]: ProposedValue }

/** One line of a proposed manifest, and why it is proposed. */
export type ProposedLine = {
  /** Path of the property, such as `commands.install.argv`. */
  property: string
  value: ProposedValue
  confidence: Confidence
  reason: string
  /** The agent does this by itself, so the manifest does not contain it. */
  isImplied?: true
}

export const requirementKinds = ['architecture', 'dependency', 'condition', 'runtime'] as const

/** What the software needs of a computer beyond conditions. The manifest cannot express it, but people who assign the package must know it. */
export type ProposedRequirement = {
  kind: (typeof requirementKinds)[number]
  value: string
  confidence: Confidence
  reason: string
}

export type SoftwareManifest = Extract<PackageManifest, { kind: 'software' }>

export type ProposedManifest = {
  /** The name that the file must have in the folder of the package. */
  fileName: string
  manifest: SoftwareManifest
  lines: ProposedLine[]
  requirements: ProposedRequirement[]
  warnings: string[]
  /** What else the file says about itself. */
  notes: string[]
}

/** What the rules of a format contribute. */
export type Proposal = Pick<ProposedManifest, 'lines' | 'requirements' | 'warnings'>

export function line(property: string, value: ProposedValue, confidence: Confidence, reason: string): ProposedLine {
  return { property, value, confidence, reason }
}

export const implied = (...values: Parameters<typeof line>): ProposedLine => ({ ...line(...values), isImplied: true })

export function requirement(
  kind: ProposedRequirement['kind'],
  value: string,
  confidence: Confidence,
  reason: string,
): ProposedRequirement {
  return { kind, value, confidence, reason }
}

/** The manifest that the lines describe. */
export function toManifest(lines: readonly ProposedLine[]): SoftwareManifest {
  const manifest: Record<string, unknown> = {}
  for (const { property, value, isImplied } of lines) {
    if (isImplied) continue
    const names = property.split('.')
    const last = names.pop() ?? ''
    const parent = names.reduce((object, name) => {
      object[name] ??= {}
      return object[name] as Record<string, unknown>
    }, manifest)
    parent[last] = value
  }
  return manifest as SoftwareManifest
}
