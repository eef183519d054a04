import { createHash } from 'node:crypto'
import { request } from 'undici'
import type { Line } from '../channel.ts'
import type { StartedWork } from '../protocol.ts'
import type { World } from './world.ts'

const depotTimeoutMs = 30_000

/** Fetches what a package consists of, and throws it away: from the depots in their order, and then from the server. */
export async function fetchFiles(
  { channel, measurements }: World,
  line: Line,
  workId: number,
  { files, depots }: StartedWork,
): Promise<void> {
  for (const sha256 of new Set(files.map((file) => file.sha256))) {
    if (await isHadFromDepot(depots, sha256, () => measurements.count('depots that did not help'))) {
      measurements.count('files from depots')
      continue
    }
    await channel.file(line, workId, sha256)
    measurements.count('files from the server')
  }
}

async function isHadFromDepot(depots: StartedWork['depots'], sha256: string, onFailure: () => void): Promise<boolean> {
  for (const { url } of depots) {
    const received = await hashOfFile(`${url.replace(/\/*$/, '')}/files/${sha256}`).catch(() => undefined)
    if (received === sha256) return true
    onFailure()
  }
  return false
}

/** A depot is told nothing but the hash, which proves the content. */
async function hashOfFile(url: string): Promise<string | undefined> {
  const { statusCode, body } = await request(url, { headersTimeout: depotTimeoutMs, bodyTimeout: depotTimeoutMs })
  if (statusCode !== 200) {
    await body.dump()
    return undefined
  }
  const hash = createHash('sha256')
  for await (const piece of body) hash.update(piece)
  return hash.digest('hex')
}
