import type { CommandManifest } from './manifest.ts'
import { type ManifestSource, parseSource, type SourceFamily, sourcePatterns } from './manifest-source.ts'
import { fault, type PropertyFault } from './property-fault.ts'

/** What such a package cannot have: the tool of the computer decides what runs, and no value of a variable reaches it. */
const excluded = ['commands', 'msi', 'secrets', 'preOs'] as const

/** The first fault in a source that its schema does not find, or undefined. */
export function findSourceFault(manifest: CommandManifest, source: ManifestSource): PropertyFault | undefined {
  const extra = excluded.find((name) => isGiven((manifest as Record<string, unknown>)[name]))
  if (extra) return fault(extra, 'must not be given with source: the package manager of the computer does the work')
  if (manifest.operatingSystems.some((name) => /windows/i.test(name)))
    return fault('operatingSystems', 'must not name Windows: source exists on Linux only')
  return findVersionFault(source) ?? findRepositoryFault(source)
}

/** Validation has added defaults, which state nothing. */
const isGiven = (value: unknown) =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

function findVersionFault(source: ManifestSource): PropertyFault | undefined {
  const { version, minVersion, allowDowngrade } = source
  const { family } = parseSource(source)
  if (version !== undefined && minVersion !== undefined)
    return fault('source', 'must have at most one of version and minVersion')
  for (const [name, value] of Object.entries({ version, minVersion }))
    if (value !== undefined && !isVersion(family, value))
      return fault(`source.${name}`, `is not a version of ${family} packages`)
  if (allowDowngrade && version === undefined)
    return fault('source.allowDowngrade', 'needs an exact version: only that can be older than what is installed')
  return undefined
}

const isVersion = (family: SourceFamily, value: string) => new RegExp(`^${sourcePatterns[family].version}$`).test(value)

function findRepositoryFault(source: ManifestSource): PropertyFault | undefined {
  const { suite, components, url } = source.repository ?? {}
  if (url === undefined) return undefined
  if (url.split('/').includes('..')) return fault('source.repository.url', 'must not go up')
  if (parseSource(source).family === 'rpm')
    return suite === undefined && components === undefined
      ? undefined
      : fault('source.repository', 'must have neither suite nor components, which only deb repositories have')
  if (suite === undefined) return fault('source.repository.suite', 'is required for deb')
  const isFlat = suite.endsWith('/')
  if (isFlat === (components === undefined)) return undefined
  return fault(
    'source.repository.components',
    isFlat
      ? 'must not be given with a suite that ends with a slash'
      : 'is required, unless the suite ends with a slash',
  )
}
