import type { IncomingMessage } from 'node:http'
import type { JobAttempt } from '../../../jobs/run-attempt.ts'
import { receiveContent } from '../../packages/content/store-content.ts'
import { DownloadRefused } from './download-errors.ts'
import { openDownload, toDownloadError } from './open-download.ts'

/** A transfer that takes longer is too slow to ever finish. */
const maxDownloadHours = 6

const bytesPerMegabyte = 1_048_576

/** Downloads the content with this hash into the package store. Returns its size. */
export async function downloadContent(
  { configuration, signal, progress }: Pick<JobAttempt, 'configuration' | 'signal' | 'progress'>,
  url: string,
  sha256: string,
): Promise<number> {
  const timeLimit = AbortSignal.timeout(maxDownloadHours * 3_600_000)
  const response = await openDownload(url, configuration, AbortSignal.any([signal, timeLimit]))
  const host = URL.parse(url)?.host ?? ''
  try {
    const maxBytes = configuration.maxPatchFileMegabytes * bytesPerMegabyte
    const expectedSize = Number(response.headers['content-length'] ?? 0)
    requireAllowedSize(host, expectedSize, maxBytes)
    let received = 0
    const content = await receiveContent(configuration.packageStore, readBody(response, host), {
      expectedHash: sha256,
      onRead(bytes) {
        received += bytes
        requireAllowedSize(host, received, maxBytes)
        if (expectedSize > 0) progress(received / expectedSize)
      },
    })
    if (content.sha256 === sha256) return content.size
    throw new DownloadRefused(
      `The file from ${host} does not have the SHA-256 that its document states: ${content.sha256}.`,
    )
  } catch (error) {
    throw timeLimit.aborted
      ? new DownloadRefused(`The download from ${host} took more than ${maxDownloadHours} hours.`)
      : error
  } finally {
    response.destroy()
  }
}

async function* readBody(response: IncomingMessage, host: string): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of response) yield chunk as Buffer
  } catch (error) {
    throw toDownloadError(host, error as Error)
  }
}

function requireAllowedSize(host: string, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return
  throw new DownloadRefused(`The file from ${host} is larger than the limit of ${maxBytes} bytes.`)
}
