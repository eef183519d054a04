import { convertedTypes, isConvertedType } from './families.ts'
import type { WingetInstaller } from './winget-manifest.ts'

/** What is wanted of the installers of a manifest. */
export type WingetChoice = { architecture?: string; locale?: string }

/** Computers with x64 are the most common, and run programs for x86 as well. */
const architectureOrder = ['x64', 'neutral', 'x86', 'arm64', 'arm']
const scopeOrder = ['machine', undefined, 'user']

const orderIn = <T>(list: readonly T[], value: T) => (list.includes(value) ? list.indexOf(value) : list.length)

/** The installers that fit the choice, the best first: by architecture, then scope, language and type. */
export function rankInstallers(installers: readonly WingetInstaller[], choice: WingetChoice): WingetInstaller[] {
  const key = (one: WingetInstaller) => [
    orderIn(architectureOrder, one.architecture),
    orderIn(scopeOrder, one.scope),
    localeOrder(one.locale, choice.locale),
    typeOrder(one),
  ]
  return installers
    .filter(({ architecture }) => choice.architecture === undefined || architecture === choice.architecture)
    .map((one) => ({ one, order: key(one) }))
    .toSorted((a, b) => compareLists(a.order, b.order))
    .map(({ one }) => one)
}

/** The wanted language, then a part of it, then installers for all languages, then English, then any. */
function localeOrder(locale: string | undefined, wanted = 'en-US'): number {
  if (locale === undefined) return 2
  const [own, asked] = [locale.toLowerCase(), wanted.toLowerCase()]
  if (own === asked) return 0
  const language = (tag: string) => tag.split('-')[0]
  if (language(own) === language(asked)) return 1
  return language(own) === 'en' ? 3 : 4
}

/** An MSI file says the most about itself, and a program that winget knows nothing about the least. */
const typeOrder = ({ type }: WingetInstaller) => (isConvertedType(type) ? convertedTypes.indexOf(type) : 10)

function compareLists(one: readonly number[], other: readonly number[]): number {
  for (const [at, value] of one.entries()) {
    const difference = value - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
