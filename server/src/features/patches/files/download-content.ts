import type { JobAttempt } from '../../../jobs/run-attempt.ts'
import { DownloadRefused } from '../../../platform/downloads/download-errors.ts'
import { readDownload } from '../../../platform/downloads/read-download.ts'
import { receiveContent } from '../../packages/content/store-content.ts'
import { patchDownloadRules } from './patch-download-rules.ts'

const bytesPerMegabyte = 1_048_576

/** Downloads the content with this hash into the package store. Returns its size. */
export async function downloadContent(
  { configuration, signal, progress }: Pick<JobAttempt, 'configuration' | 'signal' | 'progress'>,
  url: string,
  sha256: string,
): Promise<number> {
  const maxBytes = configuration.maxPatchFileMegabytes * bytesPerMegabyte
  const limits = { rules: patchDownloadRules(configuration), maxBytes, signal, progress }
  const content = await readDownload(url, limits, (chunks) =>
    receiveContent(configuration.packageStore, chunks, { expectedHash: sha256 }),
  )
  if (content.sha256 === sha256) return content.size
  const host = URL.parse(url)?.host ?? ''
  throw new DownloadRefused(
    `The file from ${host} does not have the SHA-256 that its document states: ${content.sha256}.`,
  )
}
