import type { PackageReference } from '../api/desired-state/document-schemas.ts'

/**
 * A package as people read it in a plan, and by which sections find it. Different references have different labels: a part that
 * could be read as another part is quoted, so the version "revision 2" of a package is not its revision.
 */
export function formatPackageLabel({ name, version, revision, operatingSystems }: PackageReference): string {
  return [
    quoteUnless(/^(?!\s|.*\s$)(?!.*(?<!\S)(?:revision|for)(?!\S))[^"]+$/is, name),
    quoteUnless(plainWord, version),
    ...(revision ? ['revision', quoteUnless(plainWord, revision)] : []),
    ...(operatingSystems ? ['for', operatingSystems.map(quoteSystem).join(', ')] : []),
  ].join(' ')
}

const plainWord = /^(?!(?:revision|for)$)[^\s"]+$/i

const quoteSystem = (name: string) => quoteUnless(/^(?!\s|.*\s$)[^",]+$/s, name)

const quoteUnless = (plain: RegExp, text: string) => (plain.test(text) ? text : JSON.stringify(text))
