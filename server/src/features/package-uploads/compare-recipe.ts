import { isDeepStrictEqual } from 'node:util'
import {
  isListable,
  manifestSchemas,
  PackageFault,
  type PackageManifest,
  packageKinds,
  parseRecipe,
  type Recipe,
} from '@muster/package-format'
import { findFault } from '@muster/schema'
import type { Database } from '../../database/connect.ts'
import type { Configuration } from '../../platform/configuration.ts'
import { findAddressFault } from '../../platform/downloads/allowed-address.ts'
import { findByIdentity, type ImportedPackage } from '../packages/imported-package.ts'
import { packageDownloadRules } from './download-rules.ts'

export type RecipeBlocker = { property: string | null; reason: string }

export type RecipeComparison = {
  action: 'Add' | 'Change' | 'None'
  packageId: string | null
  /** What differs: properties of the manifest, the file or the signature. */
  fields: string[]
  /** What prevents the import. */
  blockers: RecipeBlocker[]
}

/** Compares a recipe with the package that it describes, and finds what would prevent its import. */
export async function compareRecipe(
  db: Database,
  content: unknown,
  configuration: Configuration,
): Promise<RecipeComparison> {
  const recipe = parse(content)
  if ('blocker' in recipe) return { action: 'Add', packageId: null, fields: [], blockers: [recipe.blocker] }
  const stored = await findByIdentity(db, recipe.manifest)
  if (!stored) {
    const blockers = findFileBlockers(recipe, configuration)
    return { action: 'Add', packageId: null, fields: [], blockers }
  }
  const fields = listDifferences(recipe, stored)
  if (fields.length === 0) return { action: 'None', packageId: stored.id, fields, blockers: [] }
  const blockers = [...findKindBlockers(recipe.manifest, stored), ...findFileBlockers(recipe, configuration)]
  return {
    action: 'Change',
    packageId: stored.id,
    fields: [...fields, ...(stored.isSigned ? ['signature'] : [])],
    blockers,
  }
}

function parse(content: unknown): Recipe | { blocker: RecipeBlocker } {
  try {
    return parseRecipe(content)
  } catch (error) {
    if (!(error instanceof PackageFault)) throw error
    const { property, predicate = error.message } = error.propertyFault ?? {}
    return { blocker: { property: property === undefined ? null : toShort(property), reason: toShort(predicate) } }
  }
}

/** Names of unknown properties come from the client: any length. */
const toShort = (text: string) => text.slice(0, 1_000).toWellFormed()

/** Names of properties, as the manifest has them, in the order of the recipe. */
function listDifferences({ manifest, file }: Recipe, stored: ImportedPackage): string[] {
  const wanted = toCompared(manifest)
  const existing = toCompared(withDefaults(stored.manifest))
  const names = new Set([...Object.keys(wanted), ...Object.keys(existing)])
  const fields = [...names].filter((name) => !isDeepStrictEqual(wanted[name], existing[name]))
  return isSameFile(file, stored) ? fields : [...fields, 'file']
}

/** A manifest that was imported before a property existed lacks its default. */
function withDefaults(manifest: ImportedPackage['manifest']): ImportedPackage['manifest'] {
  const copy = structuredClone(manifest)
  if (copy.kind !== undefined) findFault(manifestSchemas[copy.kind], copy, 'json')
  return copy
}

/** Which schema an editor uses is not part of a package, and the files have a table of their own. */
function toCompared({ $schema: _, files: __, operatingSystems, ...manifest }: Partial<PackageManifest>) {
  return { ...manifest, operatingSystems: operatingSystems?.toSorted() } as Record<string, unknown>
}

/** A recipe that states no hash accepts the file that the package has. */
function isSameFile(file: Recipe['file'], stored: ImportedPackage): boolean {
  const files = stored.files.filter(isListable)
  if (!file) return files.length === 0
  const [only] = files
  return files.length === 1 && only?.path === file.name && (file.sha256 ?? only.sha256) === only.sha256
}

function findKindBlockers({ kind }: PackageManifest, stored: ImportedPackage): RecipeBlocker[] {
  if (packageKinds[kind] === stored.kind) return []
  return [
    {
      property: 'manifest.kind',
      reason: 'differs from that of the package with this identity, which cannot be changed',
    },
  ]
}

/** Without an address, the client has to have the file, which only the client knows. */
function findFileBlockers({ file }: Recipe, configuration: Configuration): RecipeBlocker[] {
  const reason = file?.url === undefined ? undefined : findAddressFault(file.url, packageDownloadRules(configuration))
  return reason === undefined ? [] : [{ property: 'file.url', reason: `is not allowed: ${reason}` }]
}
