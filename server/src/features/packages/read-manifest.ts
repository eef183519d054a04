import { Problem } from '../../platform/problem.ts'
import { validate } from '../../platform/validation.ts'
import { type ManifestKind, manifestName, manifestSchemas, type PackageManifest } from './manifest.ts'
import { PackageFault } from './package-fault.ts'
import { type FoundFile, openFound, requireUnchanged } from './package-folder.ts'
import { formatPath, pathFault, withSlashes } from './paths.ts'

const largestManifest = 1024 * 1024
// Of the columns that tell packages from each other; an index cannot hold much more.
const longestIdentityBytes = 2_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The manifest among the files of a package, if what it says makes sense and the files that it names are there. */
export async function readManifest(folder: string, files: readonly FoundFile[]): Promise<PackageManifest> {
  const found = files.find(({ path }) => path === manifestName)
  if (!found) throw new PackageFault(`The folder has no ${manifestName}.`)
  if (found.size > largestManifest) throw fault(`is larger than ${largestManifest} bytes`)
  const manifest = checked(parsed(await contentOf(folder, found)))
  requireSensibleIdentity(manifest)
  requireSensibleCommands(manifest)
  requireUnique('variables', manifest.variables?.map(({ variable }) => variable.toLowerCase()) ?? [])
  requireSensibleNeeds(manifest)
  if (manifest.kind === 'operatingSystem')
    requireUnique(
      'image.skus',
      manifest.image.skus.map(({ index }) => index),
    )
  requireFiles(manifest, new Set(files.map(({ path }) => path)))
  return manifest
}

async function contentOf(folder: string, found: FoundFile): Promise<string> {
  const file = await openFound(folder, found)
  try {
    const content = Buffer.alloc(found.size)
    await file.read(content)
    await requireUnchanged(file, found)
    return utf8.decode(content)
  } catch (error) {
    throw error instanceof TypeError ? fault('is not valid UTF-8') : error
  } finally {
    await file.close()
  }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content, (key: string, value: unknown) => {
      if (![key, value].every(isStorable)) throw new SyntaxError('it has a character that cannot be stored')
      return value
    })
  } catch (error) {
    throw fault(`is not valid JSON: ${(error as Error).message}`)
  }
}

function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed())
}

function checked(content: unknown): PackageManifest {
  const kind = (content as { kind?: unknown } | null)?.kind
  if (typeof kind !== 'string' || !Object.hasOwn(manifestSchemas, kind))
    throw fault(`'kind' must be one of ${Object.keys(manifestSchemas).join(', ')}`)
  try {
    validate('body', manifestSchemas[kind as ManifestKind], content)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [first] = error.details.errors as { name: string; reason: string }[]
    throw fault(first ? `${formatPath(first.name)} ${first.reason}` : 'does not match its schema')
  }
  return content as PackageManifest
}

function requireSensibleIdentity({ name, version, revision = '', operatingSystems }: PackageManifest): void {
  requireUnique(
    'operatingSystems',
    operatingSystems.map((one) => one.toLowerCase()),
  )
  if (Buffer.byteLength([name, version, revision, ...operatingSystems].join(' ')) > longestIdentityBytes)
    throw fault(`has more than ${longestIdentityBytes} bytes of name, version, revision and operating systems`)
}

function requireSensibleCommands(manifest: PackageManifest): void {
  if (!('commands' in manifest)) return
  for (const [name, command] of Object.entries(manifest.commands)) {
    const { argv, shell, successCodes = [], rebootCodes = [] } = command
    if ((argv === undefined) === (shell === undefined)) throw fault(`'commands.${name}' must have either argv or shell`)
    const both = successCodes.find((code) => rebootCodes.includes(code))
    if (both !== undefined) throw fault(`'commands.${name}' lists ${both} among successCodes and rebootCodes`)
    if (successCodes.length + rebootCodes.length === 0) throw fault(`'commands.${name}' can never succeed`)
  }
}

function requireSensibleNeeds(manifest: PackageManifest): void {
  if (!('commands' in manifest)) return
  const { name, requires = [], secrets = [] } = manifest
  const required = requires.map((one) => one.toLowerCase())
  requireUnique('requires', required)
  if (required.includes(name.toLowerCase())) throw fault(`'requires' names the package itself`)
  requireUnique(
    'secrets',
    secrets.map((one) => one.toLowerCase()),
  )
}

function requireUnique(property: string, values: readonly (string | number)[]): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index)
  if (twice !== undefined) throw fault(`'${property}' names ${formatPath(String(twice))} twice`)
}

function requireFiles(manifest: PackageManifest, paths: ReadonlySet<string>): void {
  for (const [property, path] of filesNamedIn(manifest)) {
    const wrong = pathFault(path)
    if (wrong) throw fault(`'${property}' ${wrong}`)
    if (!paths.has(withSlashes(path)))
      throw fault(`'${property}' names ${formatPath(path)}, which is not in the package`)
  }
}

function filesNamedIn(manifest: PackageManifest): (readonly [string, string])[] {
  if ('image' in manifest) return [['image.file', manifest.image.file]]
  if (manifest.kind !== 'pxeBootImage') return []
  const { loader, kernel, initrd } = manifest.boot
  return Object.entries({ loader, kernel, initrd }).flatMap(([name, path]) =>
    path === undefined ? [] : [[`boot.${name}`, path] as const],
  )
}

function fault(sentence: string): PackageFault {
  return new PackageFault(`${manifestName} ${sentence}.`)
}
