import type { ComparedType } from '../documents/compared-versions.ts'

export type ExceptionStatusName = 'NotAffected' | 'Accepted' | 'FalsePositive'

/** The package of a statement. The platform is a release of a distribution, a distribution with all of its releases, or a language. */
export type StatedPackage = { type: ComparedType; platform: string; name: string; version: string | null }

/** What a document says about a vulnerability: a decision that it needs no work. Without a package, it is about all packages. */
export type VexStatement = {
  vulnerability: string
  status: ExceptionStatusName
  reason: string
  expiresUtc: Date | null
  package: StatedPackage | null
}

/** What a document contains. `at` is the place in it. */
export type VexContent = {
  statements: VexStatement[]
  /** Statements that are no such decision, such as those about what is affected, fixed or still being examined. */
  ignored: number
  refused: { at: string; reason: string }[]
}

/** How documents of Muster name what they are about as a whole: the computers for which they were written. */
export const allPackages = 'muster:computers'

/** The property or the title of the note that says until when a risk is accepted. */
export const acceptedUntil = 'muster:acceptedUntil'
