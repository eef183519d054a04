import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatPath, manifestName, nameFault, PackageFault } from '@muster/package-format'
import type { JobAttempt } from '../../jobs/run-attempt.ts'
import { DownloadInterrupted, DownloadRefused } from '../../platform/downloads/download-errors.ts'
import { readDownload } from '../../platform/downloads/read-download.ts'
import { writeAndHash } from '../packages/content/copy-and-hash.ts'
import { packageDownloadRules } from './download-rules.ts'
import type { PackageDownload } from './import-input.ts'
import { requireRoom } from './limits.ts'
import { makeFolder } from './upload-files.ts'

/** How much may arrive before the room on the disk is measured again. */
const bytesPerRoomCheck = 64 * 1024 * 1024

/** Makes the folder of a package with a file that is downloaded. Throws a PackageFault if the file is not the one that was meant. */
export async function downloadPackageFolder(
  attempt: JobAttempt,
  folder: string,
  { url, sha256, fileName, manifest }: PackageDownload,
): Promise<void> {
  const target = join(attempt.configuration.packageStore, folder)
  // An attempt that was interrupted may have left a part of it.
  await rm(target, { recursive: true, force: true })
  await makeFolder(target)
  const fault = nameFault(fileName)
  if (fault) throw new PackageFault(`The name of the file ${fault}.`)
  attempt.log(`Downloading ${formatPath(fileName)} from ${URL.parse(url)?.host ?? 'its vendor'}.`)
  const found = await receiveFile(attempt, url, join(target, fileName))
  if (found !== sha256)
    throw new PackageFault(`The file has the SHA-256 ${found}, and not the one that was stated: ${sha256}.`)
  await writeFile(join(target, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function receiveFile(attempt: JobAttempt, url: string, path: string): Promise<string> {
  const { configuration, signal } = attempt
  const limits = {
    ...{ rules: packageDownloadRules(configuration), maxBytes: configuration.uploads.maxFileBytes, signal },
    // The import that follows shows its own progress.
    progress: (share: number) => attempt.progress(share / 2),
  }
  try {
    const { sha256 } = await readDownload(url, limits, (chunks) => writeAndHash(withRoom(attempt, chunks), path))
    return sha256
  } catch (error) {
    if (error instanceof DownloadRefused || error instanceof DownloadInterrupted) throw new PackageFault(error.message)
    throw error
  }
}

async function* withRoom({ configuration }: JobAttempt, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let unchecked = bytesPerRoomCheck
  for await (const chunk of chunks) {
    unchecked += chunk.length
    if (unchecked >= bytesPerRoomCheck) {
      unchecked = 0
      await requireRoom(configuration).catch(() => {
        throw new PackageFault('The package store has too little room left for the file.')
      })
    }
    yield chunk
  }
}
