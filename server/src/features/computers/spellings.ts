import { type RawBuilder, sql } from 'kysely'
import { containing, literal } from '../../platform/like-pattern.ts'

/**
 * How agents and operating systems spell an architecture, in lower case, by the one value that answers show. For searches; the
 * database function `canonical_architecture` knows the same spellings.
 */
export const architectureSpellings = {
  x64: ['x64', 'amd64', 'x86_64', 'x86-64', 'em64t', 'intel64', '64', '64-bit', '64 bit', '64 bits'],
  x86: ['x86', 'i386', 'i486', 'i586', 'i686', 'ia32', '32', '32-bit', '32 bit', '32 bits'],
  arm64: ['arm64', 'aarch64', 'arm64e', 'armv8', 'armv8l', 'arm 64-bit processor'],
  arm: ['arm', 'armhf', 'armel', 'armv6l', 'armv7', 'armv7l'],
}

/** Names of one manufacturer. Each is a part of what computers report, such as Hewlett-Packard Company. */
const manufacturers = [
  ['HP', 'Hewlett-Packard', 'Hewlett Packard'],
  ['ASUS', 'ASUSTeK'],
  ['IBM', 'International Business Machines'],
  ['VirtualBox', 'innotek'],
]

/** Names of one operating system, each a part of what computers report. */
const operatingSystems = [
  ['macOS', 'Mac OS X', 'OS X'],
  ['RHEL', 'Red Hat Enterprise Linux'],
  ['SLES', 'SUSE Linux Enterprise Server'],
]

/** The value that answers show for the reported one in this column. One that is unknown stays as it is. */
export function canonicalArchitecture(column: string): RawBuilder<string | null> {
  const reported = sql.ref<string | null>(column)
  return sql<string | null>`coalesce(canonical_architecture(${reported}), ${reported})`
}

/**
 * LIKE patterns that find reported architectures by a part of any of their spellings: what is shown as x64 may have been
 * reported as AMD64.
 */
export function architecturePatterns(searched: string): string[] {
  const part = searched.trim().toLowerCase()
  const matching = Object.values(architectureSpellings).filter((spellings) =>
    spellings.some((one) => one.includes(part)),
  )
  return [containing(searched), ...matching.flat().map(literal)]
}

const namePatterns = (names: readonly (readonly string[])[]) => (searched: string) => {
  const isSearched = (name: string) => name.toLowerCase() === searched.trim().toLowerCase()
  const others = names.filter((spellings) => spellings.some(isSearched))
  return [containing(searched), ...others.flat().map(containing)]
}

/** LIKE patterns that find a manufacturer by any of its names, or by a part of what is reported. */
export const manufacturerPatterns = namePatterns(manufacturers)

/** LIKE patterns that find an operating system by any of its names, or by a part of what is reported. */
export const operatingSystemPatterns = namePatterns(operatingSystems)
