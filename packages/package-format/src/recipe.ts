import { closed, findFault, type Static, sha256, type TSchema, Type, text } from '@muster/schema'
import { isListable, manifestName, PackageManifest } from './manifest.ts'
import { PackageFault } from './package-fault.ts'
import { formatPath, nameFault } from './paths.ts'
import type { PropertyFault } from './property-fault.ts'
import { parseManifest } from './read-manifest.ts'

export const RecipeFile = closed(
  {
    name: text(255, 'setup.msi', 'Name of the file in the package, and of the file that is uploaded'),
    url: Type.Optional(
      Type.String({
        pattern: '^https?://',
        maxLength: 2_048,
        examples: ['https://downloads.example.org/setup.msi'],
        description: 'Where the service can download it. Without it, the file is uploaded. Needs sha256.',
      }),
    ),
    sha256: Type.Optional(sha256('Hash that the file must have. Without it, any file with the name will do.')),
  },
  { title: 'RecipeFile', description: 'The file of the package. A package from a repository has none.' },
)

const recipeOf = <M extends TSchema>(manifest: M) =>
  closed(
    {
      $schema: Type.Optional(text(1_000, 'package-recipe.schema.json', 'JSON schema for editors. It is ignored.')),
      manifest,
      file: Type.Optional(RecipeFile),
    },
    { title: 'PackageRecipe', description: 'A package without its file: its manifest, and where the file comes from.' },
  )

/** As editors and the reference see it. */
export const PackageRecipe = recipeOf(PackageManifest)

/** The manifest has a check of its own, which names what is wrong by its kind. */
const CheckedRecipe = recipeOf(Type.Unsafe<Record<string, unknown>>({ type: 'object' }))

export type Recipe = { manifest: PackageManifest; file: Static<typeof RecipeFile> | undefined }

/** The recipe that a file contains. Throws a PackageFault that names the property, with dots between its levels. */
export function parseRecipe(content: unknown): Recipe {
  // The check adds defaults to what it checks.
  const copy: unknown = structuredClone(content)
  const found = findFault(CheckedRecipe, copy, 'json')
  if (found) throw recipeFault({ property: found.name, predicate: found.reason })
  const { manifest, file } = copy as Static<typeof CheckedRecipe>
  const fileFault = findFileFault(file, 'source' in manifest) ?? findListFault(manifest)
  if (fileFault) throw recipeFault(fileFault)
  return { manifest: parseOwnManifest(manifest, file?.name), file }
}

function parseOwnManifest(manifest: object, fileName: string | undefined): PackageManifest {
  try {
    return parseManifest(
      Buffer.from(JSON.stringify(manifest)),
      new Set([manifestName, ...(fileName ? [fileName] : [])]),
    )
  } catch (error) {
    if (!(error instanceof PackageFault) || !error.propertyFault) throw error
    const { property, predicate } = error.propertyFault
    throw recipeFault({ property: `manifest.${property}`, predicate })
  }
}

function findFileFault(file: Recipe['file'], isFromRepository: boolean): PropertyFault | undefined {
  if (isFromRepository)
    return (
      file && { property: 'file', predicate: 'must not be given with manifest.source: the repository has the files' }
    )
  if (!file) return { property: 'file', predicate: 'is required, unless the manifest has source' }
  const predicate = nameFault(file.name) ?? (isListable({ path: file.name }) ? undefined : 'is the name of a manifest')
  if (predicate !== undefined) return { property: 'file.name', predicate }
  return file.url !== undefined && file.sha256 === undefined
    ? { property: 'file.sha256', predicate: 'is required for a file with url' }
    : undefined
}

/** The list of files belongs to signatures, and a recipe has none. */
const findListFault = ({ files }: Record<string, unknown>): PropertyFault | undefined =>
  files === undefined
    ? undefined
    : { property: 'manifest.files', predicate: 'must not be given: state the hash in file' }

const recipeFault = (propertyFault: PropertyFault) =>
  new PackageFault(`${formatPath(propertyFault.property)} ${propertyFault.predicate}.`, { propertyFault })
