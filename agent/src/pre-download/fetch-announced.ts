import { statfs } from 'node:fs/promises'
import type { Agent } from '../agent.ts'
import { diskReserve } from '../files/download.ts'
import type { PackageFile } from '../protocol.ts'
import { PackageRefused } from '../signing/signed-manifest.ts'
import { downloadContents } from '../work/fetch-package.ts'
import { findMismatch } from '../work/find-mismatch.ts'
import { verifyUpcoming } from '../work/verify-work.ts'
import { type AnnouncedItem, type Announcement, bytesOf } from './announcement.ts'

type Fetch = {
  item: AnnouncedItem
  announcement: Announcement
  /** What is complete, and takes space already. */
  ready: readonly AnnouncedItem[]
  signal: AbortSignal
  onBytes(fetchedBytes: number): void
}

/**
 * Downloads the content of a work item before its time, after the checks that precede ordinary downloads. It takes as long as it
 * takes, and continues what an earlier process began.
 */
export async function fetchAnnounced(agent: Agent, fetch: Fetch): Promise<void> {
  const { item, announcement, signal, onBytes } = fetch
  const { workId, package: subject, files } = item
  const mismatch = await findMismatch(agent.platform.computer, subject.operatingSystems)
  if (mismatch) throw new PackageRefused(mismatch)
  await requireRoom(agent, fetch)
  const total = bytesOf([item])
  const fetched: PackageFile[] = []
  const transfer = {
    cancelled: signal,
    onProgress: (done: number, all: number) => onBytes(total - all + done),
    fetched,
    hasTimeLimit: false,
  }
  try {
    const handed = { workId, package: subject, work: { ...announcement, files } }
    const verified = await verifyUpcoming(agent, handed, transfer)
    await downloadContents(agent, workId, announcement, verified, transfer)
  } catch (error) {
    // Otherwise what is refused could fill the disk.
    if (error instanceof PackageRefused) await agent.cache.discard(fetched)
    throw error
  }
}

/** Whatever the server announces, what is not needed yet takes at most half of the space that could be used. */
async function requireRoom({ state }: Agent, { item, ready }: Fetch): Promise<void> {
  const { blocks, bavail, bsize } = await statfs(state.root)
  const taken = bytesOf(ready)
  const room = (bavail * bsize + taken - diskReserve(blocks * bsize)) / 2
  const needed = bytesOf([...ready, item])
  if (needed > room)
    throw new Error(
      `Downloads before their time may take ${Math.max(0, Math.floor(room))} bytes, and ${needed} are needed.`,
    )
}
