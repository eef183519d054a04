import { createHash } from 'node:crypto'
import { request } from 'undici'
import type { Sender } from '../channel.ts'
import type { StartedWork } from '../protocol.ts'
import type { World } from './world.ts'

const depotTimeoutMs = 30_000

/** Downloads the files of a package and discards them: from the depots in their order, otherwise from the server. */
export async function fetchFiles(
  { channel, measurements }: World,
  sender: Sender,
  workId: number,
  { files, depots }: Pick<StartedWork, 'files' | 'depots'>,
): Promise<void> {
  for (const sha256 of new Set(files.map((file) => file.sha256))) {
    if (await fetchFromDepots(depots, sha256, () => measurements.count('depots that did not help'))) {
      measurements.count('files from depots')
      continue
    }
    await channel.file(sender, workId, sha256)
    measurements.count('files from the server')
  }
}

/** Returns whether a depot delivered the file with the right content. */
async function fetchFromDepots(depots: StartedWork['depots'], sha256: string, onFailure: () => void): Promise<boolean> {
  for (const { url } of depots) {
    const received = await downloadHash(`${url.replace(/\/*$/, '')}/files/${sha256}`).catch(() => undefined)
    if (received === sha256) return true
    onFailure()
  }
  return false
}

/** Requests carry no credential: the hash in the URL is enough, and it proves the content. */
async function downloadHash(url: string): Promise<string | undefined> {
  const { statusCode, body } = await request(url, { headersTimeout: depotTimeoutMs, bodyTimeout: depotTimeoutMs })
  if (statusCode !== 200) {
    await body.dump()
    return undefined
  }
  const hash = createHash('sha256')
  for await (const chunk of body) hash.update(chunk)
  return hash.digest('hex')
}
