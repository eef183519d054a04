import { findFault, findJsonExcess } from '@muster/schema'
import { looksLikePublicKey } from '@muster/signing'
import { findCommandFault } from './command-faults.ts'
import {
  isForComputers,
  type ManifestKind,
  manifestName,
  manifestSchemas,
  type PackageManifest,
  trustedKeysSetting,
} from './manifest.ts'
import { PackageFault } from './package-fault.ts'
import { type FoundFile, readFoundFile } from './package-folder.ts'
import { formatPath, pathFault, withSlashes } from './paths.ts'

/** Enough for a list of 100,000 files with ordinary paths. */
const maxManifestBytes = 16 * 1024 * 1024
// The identity of packages has a unique index, and an index entry cannot be much larger.
const maxIdentityBytes = 2_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A manifest, and the bytes of its file, which a signature is about. */
export type ReadManifest = { manifest: PackageManifest; bytes: Buffer }

/** The validated manifest of a package. Throws a PackageFault if it is missing or invalid, or names a missing file. */
export async function readManifest(folder: string, files: readonly FoundFile[]): Promise<ReadManifest> {
  const found = files.find(({ path }) => path === manifestName)
  if (!found)
    throw new PackageFault(`The folder has no ${manifestName}. Every package needs one at the top level of its folder.`)
  if (found.size > maxManifestBytes) throw manifestFault(`is larger than ${maxManifestBytes} bytes`)
  const bytes = await readFoundFile(folder, found)
  return { manifest: parseManifest(bytes, new Set(files.map(({ path }) => path))), bytes }
}

/** The manifest of a package with files at these paths. Throws a PackageFault if it is invalid, or names a missing file. */
export function parseManifest(bytes: Buffer, paths: ReadonlySet<string>): PackageManifest {
  const excess = findJsonExcess(bytes)
  if (excess !== undefined) throw manifestFault(excess)
  const manifest = validateManifest(parseJson(toText(bytes)))
  requireValidIdentity(manifest)
  requireValidCommands(manifest)
  requireUnique('variables', manifest.variables?.map(({ variable }) => variable.toLowerCase()) ?? [])
  requireValidRequirements(manifest)
  requireValidKeys(manifest)
  if (manifest.kind === 'operatingSystem')
    requireUnique(
      'image.skus',
      manifest.image.skus.map(({ index }) => index),
    )
  requireNamedFiles(manifest, paths)
  return manifest
}

function toText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw manifestFault('is not valid UTF-8. Save it with this encoding')
  }
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content, (key: string, value: unknown) => {
      if (![key, value].every(isStorable))
        throw new SyntaxError('it contains a character that cannot be stored (NUL or half of a surrogate pair)')
      return value
    })
  } catch (error) {
    throw manifestFault(`is not valid JSON: ${(error as Error).message}`)
  }
}

function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed())
}

function validateManifest(content: unknown): PackageManifest {
  const kind = (content as { kind?: unknown } | null)?.kind
  if (typeof kind !== 'string' || !Object.hasOwn(manifestSchemas, kind))
    throw propertyFault('kind', `must be one of ${Object.keys(manifestSchemas).join(', ')}`)
  const fault = findFault(manifestSchemas[kind as ManifestKind], content, 'json')
  if (fault) throw propertyFault(fault.name, fault.reason)
  return content as PackageManifest
}

function requireValidIdentity({ name, version, revision = '', operatingSystems }: PackageManifest): void {
  requireUnique(
    'operatingSystems',
    operatingSystems.map((one) => one.toLowerCase()),
  )
  if (Buffer.byteLength([name, version, revision, ...operatingSystems].join(' ')) > maxIdentityBytes)
    throw manifestFault(
      `is invalid: name, version, revision and operatingSystems have more than ${maxIdentityBytes} bytes together`,
    )
}

function requireValidCommands(manifest: PackageManifest): void {
  const fault = isForComputers(manifest) ? findCommandFault(manifest) : undefined
  if (fault) throw propertyFault(fault.property, fault.predicate)
}

function requireValidRequirements(manifest: PackageManifest): void {
  if (!isForComputers(manifest)) return
  const { name, requires = [], conflicts = [], supersedes = [], secrets = [] } = manifest
  for (const [property, names] of Object.entries({
    requires,
    conflicts,
    supersedes: supersedes.map((one) => one.name),
  })) {
    const related = names.map((one) => one.toLowerCase())
    requireUnique(property, related)
    if (related.includes(name.toLowerCase())) throw propertyFault(property, 'must not name the package itself')
  }
  requireUnique(
    'secrets',
    secrets.map((one) => one.toLowerCase()),
  )
}

function requireUnique(property: string, values: readonly (string | number)[]): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index)
  if (twice !== undefined) throw propertyFault(property, `must not contain ${formatPath(String(twice))} twice`)
}

function requireNamedFiles(manifest: PackageManifest, paths: ReadonlySet<string>): void {
  for (const [property, path] of filesNamedIn(manifest)) {
    const fault = pathFault(path)
    if (fault) throw propertyFault(property, fault)
    if (!paths.has(withSlashes(path)))
      throw propertyFault(
        property,
        `names ${formatPath(path)}, which is not a file of the package. Check the path, including upper and lower case`,
      )
  }
}

function filesNamedIn(manifest: PackageManifest): (readonly [property: string, path: string])[] {
  if ('image' in manifest) return [['image.file', manifest.image.file]]
  if (manifest.kind === 'software') {
    const { msi, icon } = manifest
    return [...(msi ? [['msi.file', msi.file] as const] : []), ...(icon ? [['icon', icon] as const] : [])]
  }
  if (manifest.kind !== 'pxeBootImage') return []
  const { loader, kernel, initrd } = manifest.boot
  return Object.entries({ loader, kernel, initrd }).flatMap(([name, path]) =>
    path === undefined ? [] : [[`boot.${name}`, path] as const],
  )
}

/** `predicate` ends a sentence that begins with the file name. */
function manifestFault(predicate: string): PackageFault {
  return new PackageFault(`${manifestName} ${predicate}.`)
}

/** `predicate` ends a sentence that begins with the property. The name of an unknown property is untrusted. */
function propertyFault(property: string, predicate: string): PackageFault {
  return new PackageFault(`${manifestName}: ${formatPath(property)} ${predicate}.`, {
    propertyFault: { property, predicate },
  })
}

/** Agents ignore a list of keys that they cannot parse, and would then run packages without a signature. */
function requireValidKeys(manifest: PackageManifest): void {
  const setting = manifest.kind === 'agentTemplate' ? manifest.settings[trustedKeysSetting] : undefined
  if (setting === undefined) return
  const lines = String(setting)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(untrusted comment:|muster-trusted-keys \d{1,9}$)/.test(line))
  const invalid = lines.find((line) => !looksLikePublicKey(line))
  if (invalid === undefined && lines.length > 0) return
  throw new PackageFault(
    `${manifestName}: 'settings.${trustedKeysSetting}' must contain public keys of minisign, one per line` +
      `${invalid === undefined ? '' : `, not ${formatPath(invalid)}`}.`,
  )
}
