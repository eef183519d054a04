import type { IncomingMessage } from 'node:http'
import type { DownloadRules } from './allowed-address.ts'
import { DownloadRefused } from './download-errors.ts'
import { openDownload, toDownloadError } from './open-download.ts'

/** A transfer that takes longer is too slow to ever finish. */
const maxDownloadHours = 6

export type ReadLimits = {
  rules: DownloadRules
  maxBytes: number
  signal: AbortSignal
  /** Called with the share that has arrived, if the host states the size. */
  progress(share: number): void
}

/** Downloads from an allowed address. `read` gets the bytes, and reads them to their end. */
export async function readDownload<T>(
  url: string,
  { rules, maxBytes, signal, progress }: ReadLimits,
  read: (chunks: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const timeLimit = AbortSignal.timeout(maxDownloadHours * 3_600_000)
  const response = await openDownload(url, rules, AbortSignal.any([signal, timeLimit]))
  const host = URL.parse(url)?.host ?? ''
  try {
    const expectedSize = Number(response.headers['content-length'] ?? 0)
    requireAllowedSize(host, expectedSize, maxBytes)
    let received = 0
    const onBytes = (bytes: number) => {
      received += bytes
      requireAllowedSize(host, received, maxBytes)
      if (expectedSize > 0) progress(received / expectedSize)
    }
    return await read(readBody(response, host, onBytes))
  } catch (error) {
    throw timeLimit.aborted
      ? new DownloadRefused(`The download from ${host} took more than ${maxDownloadHours} hours.`)
      : error
  } finally {
    response.destroy()
  }
}

async function* readBody(
  response: IncomingMessage,
  host: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      onBytes(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw toDownloadError(host, error as Error)
  }
}

function requireAllowedSize(host: string, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return
  throw new DownloadRefused(`The file from ${host} is larger than the limit of ${maxBytes} bytes.`)
}
