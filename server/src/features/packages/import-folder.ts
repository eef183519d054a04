import {
  formatPath,
  type HashedFile,
  hashFiles,
  listFiles,
  PackageFault,
  readManifest,
  requireSafeBatchFiles,
  requireSameFiles,
  requireValidIcon,
} from '@muster/package-format'
import { formatBytes } from '@muster/text'
import { lockForTransactionShared } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { violatedConstraint } from '../../database/errors.ts'
import { type JobAttempt, JobFailure } from '../../jobs/run-attempt.ts'
import { requireContents, storeContent, syncContentFolders } from './content/store-content.ts'
import { type PackageSignature, readPackageSignature, requireListedFiles } from './signature.ts'
import { requirePackageFolder } from './store-folder.ts'
import { requireFreeIdentity, writePackage } from './write-package.ts'

export type FolderToImport = {
  folder: string
  overwrite: boolean
  /** The principal who requested the import; null for jobs from before this was recorded. */
  importer: { id: number; name: string } | null
  /** Throws a PackageFault if these are not the files that were to be imported. */
  requireFiles?(files: readonly HashedFile[]): void
  /** Writes what belongs to the import in its transaction. */
  alsoWrite?(db: Database): Promise<void>
}

/** Imports a folder of the package store as a new package, or replaces the content of an existing one. Copies all files. */
export async function importFolder(attempt: JobAttempt, toImport: FolderToImport): Promise<void> {
  const { folder, overwrite, importer, requireFiles, alsoWrite } = toImport
  try {
    const { db, signal } = attempt
    const { packageStore: store, trustedKeys, fourEyes } = attempt.configuration
    const root = await requirePackageFolder(store, folder)
    const found = await listFiles(root, signal)
    attempt.log(`Found ${countFiles(found)} with ${formatBytes(totalSize(found))} in ${formatPath(folder)}.`)
    const read = await readManifest(root, found)
    const { manifest } = read
    attempt.log(`The manifest describes ${manifest.name} ${manifest.version}.`)
    await requireSafeBatchFiles(root, found, manifest)
    await requireValidIcon(root, found, manifest)
    await requireFreeIdentity(db, manifest, overwrite)
    const signature = await readPackageSignature(root, found, read, trustedKeys)
    attempt.log(describeSignature(signature))
    const files = await hashFiles(root, found, attempt, (file, onRead) => storeContent(store, file, { onRead }))
    requireSameFiles(found, await listFiles(root, signal))
    requireListedFiles(manifest, files)
    requireFiles?.(files)
    await syncContentFolders(store, files)
    attempt.log(`Copied and hashed ${countFiles(files)}. Storing the package.`)
    await attempt.finish(async (transaction) => {
      // Content is purged while no package refers to it. From here to the commit, no node purges any.
      await lockForTransactionShared(transaction, 'packageContent')
      await requireContents(store, files)
      const { id: packageId, isCleared } = await writePackage(
        transaction,
        { folder, manifest, files, signature, importer },
        { overwrite, signatureReleases: !fourEyes },
      )
      await alsoWrite?.(transaction)
      const message = `Imported with ${files.length} files.`
      return { status: 'Success', packageId, message: isCleared ? `${message} ${clearedNote}` : message }
    })
  } catch (error) {
    throw toJobFailure(error) ?? error
  }
}

const clearedNote = 'The content has changed: the package waits until Ready-to-Install is set again.'

const countFiles = ({ length }: readonly unknown[]) => `${length} ${length === 1 ? 'file' : 'files'}`

const totalSize = (files: readonly { size: number }[]) => files.reduce((sum, { size }) => sum + size, 0)

function describeSignature(signature: PackageSignature | null): string {
  if (!signature) return 'The package is not signed.'
  return `Signed with the key ${signature.keyId}, which is ${signature.verifiedKey ? '' : 'not '}trusted.`
}

function toJobFailure(error: unknown): JobFailure | undefined {
  if (error instanceof PackageFault) return new JobFailure(error.message)
  if (violatedConstraint(error) === 'packages_folder_key')
    return new JobFailure('The folder belongs to another package. Put every version of a package into its own folder.')
  return undefined
}
