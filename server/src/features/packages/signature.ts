import {
  type FoundFile,
  formatPath,
  type HashedFile,
  isListable,
  manifestName,
  manifestSignatureName,
  PackageFault,
  type PackageManifest,
  type ReadManifest,
  readFoundFile,
} from '@muster/package-format'
import { isSignedBy, MinisignFault, type PublicKey, parseSignature, type Signature } from '@muster/signing'

export type PackageSignature = {
  /** The key that the signature names. Only a key that the service knows can be checked. */
  keyId: string
  /** The text of the trusted key that has made the signature; null if no trusted key has this id. */
  verifiedKey: string | null
}

const maxSignatureBytes = 10_000

/**
 * Reads the signature of a package; null if it has none. Throws a PackageFault if it is damaged, if a trusted key with
 * its id did not make it, or if the manifest does not list the files, which the signature then would not cover.
 */
export async function readPackageSignature(
  folder: string,
  files: readonly FoundFile[],
  { manifest, bytes }: ReadManifest,
  trustedKeys: readonly PublicKey[],
): Promise<PackageSignature | null> {
  const found = files.find(({ path }) => path === manifestSignatureName)
  if (!found) return null
  if (!manifest.files)
    throw new PackageFault(`${manifestName} is signed but does not list the files. Sign the package with npm run sign.`)
  const signature = await parseFile(folder, found)
  const key = trustedKeys.find(({ keyId }) => keyId === signature.keyId)
  if (key && !isSignedBy(key, bytes, signature))
    throw new PackageFault(
      `${manifestSignatureName} does not match ${manifestName}: the manifest was changed after the key ${key.keyId} ` +
        'signed it, or another key was used. Sign the package again.',
    )
  return { keyId: signature.keyId, verifiedKey: key?.text ?? null }
}

export function signatureColumns(signature: PackageSignature | null) {
  return { signature_key_id: signature?.keyId ?? null, signature_key: signature?.verifiedKey ?? null }
}

async function parseFile(folder: string, found: FoundFile): Promise<Signature> {
  if (found.size > maxSignatureBytes) throw new PackageFault(`${manifestSignatureName} is too large.`)
  try {
    return parseSignature((await readFoundFile(folder, found)).toString('utf8'))
  } catch (error) {
    throw error instanceof MinisignFault ? new PackageFault(`${manifestSignatureName} ${error.message}.`) : error
  }
}

/** Throws a PackageFault if the manifest lists the files of the package and they are not these. */
export function requireListedFiles({ files: listed }: PackageManifest, files: readonly HashedFile[]): void {
  if (!listed) return
  const expected = new Map(listed.map((file) => [file.path, file]))
  const actual = new Map(files.filter(isListable).map((file) => [file.path, file]))
  const fault = (path: string, predicate: string) =>
    new PackageFault(`${formatPath(path)} ${predicate}. Sign the package again, or restore the file.`)
  for (const { path, size, sha256 } of listed) {
    const file = actual.get(path)
    if (!file) throw fault(path, `is missing, but 'files' of ${manifestName} lists it`)
    if (file.size !== size || file.sha256 !== sha256) throw fault(path, `differs from 'files' of ${manifestName}`)
  }
  for (const path of actual.keys()) if (!expected.has(path)) throw fault(path, `is not in 'files' of ${manifestName}`)
}
