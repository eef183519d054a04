import { isDeepStrictEqual } from 'node:util'
import type { Contact, PackageDetection, PackageFile, StartedWork, WorkDeclaration, WorkPackage } from '../protocol.ts'
import { declarationOf } from '../work/declared/declaration.ts'

export const manifestName = 'muster-package.json'
export const signatureName = `${manifestName}.minisig`

/** The agent runs only what a pinned key has signed, and this is not. The message says why. */
export class PackageRefused extends Error {
  override name = 'PackageRefused'
}

/** What the agent uses of a manifest whose signature it has verified. */
export type SignedManifest = {
  name: string
  displayName?: string
  version: string
  kind: string
  operatingSystems: string[]
  preOs?: boolean
  commands?: Record<string, Partial<PackageDetection>>
  msi?: Partial<NonNullable<WorkDeclaration['msi']>>
  source?: Partial<NonNullable<WorkDeclaration['source']>>
  files?: PackageFile[]
}

/** The files of patches, which the server adds to the work of a fix package. Nobody has signed them. */
const patchFolder = 'muster-patches/'
/** The agent writes these into the folder of a package, in place of files that were signed. */
const writtenByAgent = /^muster-(collections|patches|source)\.json$/i

export function parseSignedManifest(content: Buffer): SignedManifest {
  const manifest = JSON.parse(content.toString('utf8')) as SignedManifest
  if (!Array.isArray(manifest.files) || !(manifest.commands || manifest.msi || manifest.source))
    throw new PackageRefused('The signed manifest does not list the commands and the files of the package.')
  if (manifest.files.some(({ path }) => writtenByAgent.test(path) || path.startsWith(patchFolder)))
    throw new PackageRefused('The signed manifest lists a file whose name is reserved for the agent.')
  return manifest
}

/** The package as the manifest describes it. Refuses the manifest of a package that the work item does not name. */
export function toSignedPackage(
  manifest: SignedManifest,
  handed: WorkPackage,
  environment: Contact['environment'],
): WorkPackage {
  const { displayName, name, version, kind, operatingSystems, preOs = false } = manifest
  // Such a package may erase the disks, and it is the server that says where packages run.
  if (preOs !== (environment === 'PreOs'))
    throw new PackageRefused(
      `The signed manifest is for computers ${preOs ? 'before' : 'with'} an operating system, and this is not one.`,
    )
  const signed = { name: displayName ?? name, version, kind: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` }
  if (signed.name !== handed.name || signed.version !== handed.version || signed.kind !== handed.kind)
    throw new PackageRefused(
      `The signed manifest belongs to the package ${signed.name} ${version}, not to ${handed.name} ${handed.version}.`,
    )
  return { ...handed, operatingSystems }
}

/** The work with the commands and files of the manifest. Refuses work for which the server states others. */
export function toSignedWork(
  manifest: SignedManifest,
  handed: StartedWork,
  own: readonly PackageFile[],
  { knownPatches, product }: { knownPatches: readonly string[]; product: string },
): StartedWork {
  const declared = toDeclaration(manifest)
  if (!isDeepStrictEqual(declarationOf(handed), declared))
    throw new PackageRefused('The server hands out commands that differ from those in the signed manifest.')
  return {
    ...handed,
    declared,
    files: requireSignedFiles(manifest, handed.files, own),
    patches: toOwnPatches(handed.patches, knownPatches, product),
    rollbacks: toOwnRollbacks(handed.rollbacks, knownPatches),
  }
}

/** The files of the manifest, with those of the signature. Refuses others. */
export function requireSignedFiles(
  { files = [] }: SignedManifest,
  handed: readonly PackageFile[],
  own: readonly PackageFile[],
): PackageFile[] {
  const stated = handed.filter((file) => !own.includes(file) && !file.path.startsWith(patchFolder))
  if (!isDeepStrictEqual(byPath(stated), byPath(files)))
    throw new PackageRefused('The server hands out files that differ from those in the signed manifest.')
  return [...own, ...files]
}

const defaults = { timeLimitMinutes: 60, successCodes: [0], rebootCodes: [] }

/** What the manifest declares, with the defaults that the server adds as well. */
function toDeclaration({ commands = {}, msi, source }: SignedManifest): WorkDeclaration {
  const complete = Object.entries(commands).map(([name, command]) => [name, { ...defaults, ...command }])
  const { timeLimitMinutes } = defaults
  return {
    commands: Object.fromEntries(complete),
    ...(msi && { msi: { properties: {}, timeLimitMinutes, ...msi } }),
    ...(source && { source: { allowDowngrade: false, timeLimitMinutes, ...source } }),
  } as WorkDeclaration
}

function byPath(files: readonly PackageFile[]): Map<string, unknown> {
  return new Map(files.map(({ path, size, sha256 }) => [path, { size, sha256 }]))
}

/** Only patches that this computer itself has found missing, without texts and files of the server. */
function toOwnPatches(
  patches: StartedWork['patches'],
  known: readonly string[],
  product: string,
): StartedWork['patches'] {
  return patches
    .filter(({ key }) => known.includes(key))
    .map(({ patchId, productId, key }) => ({
      ...{ patchId: Number(patchId), productId: Number(productId) },
      ...{ key, name: key, product, files: [] },
    }))
}

/** Whether patches are rolled back at all is decided by the commands of the signed package. */
const toOwnRollbacks = (rollbacks: StartedWork['rollbacks'], known: readonly string[]) =>
  (rollbacks ?? [])
    .filter(({ key }) => known.includes(key))
    .map(({ patchId, productId, key }) => ({ patchId: Number(patchId), productId: Number(productId), key }))
