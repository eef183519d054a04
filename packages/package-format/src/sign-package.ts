import { realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SecretKey, SigningError, signContent } from '@muster/signing'
import { hashFiles } from './hash-files.ts'
import { isListable, manifestName, manifestSignatureName } from './manifest.ts'
import { type FoundFile, listFiles } from './package-folder.ts'
import { formatPath } from './paths.ts'
import { readManifest } from './read-manifest.ts'

/** The agent writes these files into the folder of a package, so a signature could not protect them. */
const writtenByAgent = /^(muster-collections\.json|muster-patches\.json|muster-source\.json|muster-patches\/.*)$/i

/** Writes the hashes of all files into the manifest of a package, and its signature beside it. */
export async function signPackage(folder: string, key: SecretKey): Promise<string> {
  const root = await realpath(folder)
  const { signal } = new AbortController()
  const found = await listFiles(root, signal)
  requireSignableFiles(found)
  const { manifest, bytes } = await readManifest(root, found)
  const files = await hashFiles(root, found.filter(isListable), { signal, progress: () => {} })
  // As it was written, without the defaults that the validation has added.
  const written = JSON.parse(bytes.toString('utf8')) as object
  const content = Buffer.from(`${JSON.stringify({ ...written, files }, null, 2)}\n`)
  const subject = `${manifest.name} ${manifest.version}${manifest.revision ? ` revision ${manifest.revision}` : ''}`
  // Until the new signature exists, the package must not look signed.
  await rm(join(root, manifestSignatureName), { force: true })
  await replaceFile(join(root, manifestName), content)
  await replaceFile(join(root, manifestSignatureName), signContent(key, content, manifestName))
  return `Signed ${subject} with ${files.length} files, by the key ${key.publicKey.keyId}.`
}

function requireSignableFiles(files: readonly FoundFile[]): void {
  const reserved = files.find(({ path }) => writtenByAgent.test(path))
  if (reserved)
    throw new SigningError(`${formatPath(reserved.path)} cannot be signed: agents write a file of this name.`)
}

async function replaceFile(path: string, content: Buffer | string): Promise<void> {
  const fresh = `${path}.new`
  await writeFile(fresh, content)
  await rename(fresh, path)
}
