import { maxUpcoming } from '../answers/work.ts'
import type { PackageFile, Upcoming, WorkPackage } from '../protocol.ts'
import { readStored, removeDurably, writeDurably } from '../state/durable-file.ts'
import type { StateFolder } from '../state/state-folder.ts'

/** The content of a work item that the server has announced before its time. */
export type AnnouncedItem = { workId: number; package: WorkPackage; fetch: boolean; files: PackageFile[] }

export type Announcement = Pick<Upcoming, 'depots' | 'depotsAfterServer'> & {
  announcedUtc: string
  items: AnnouncedItem[]
}

const nothing: Announcement = { announcedUtc: '', depots: [], depotsAfterServer: [], items: [] }

export async function readAnnouncement({ preDownloads }: StateFolder): Promise<Announcement> {
  return (await readStored<Announcement>(preDownloads)) ?? nothing
}

/** What is announced outlives the process: what is withdrawn later can then still be removed. */
export async function storeAnnouncement(state: StateFolder, announcement: Announcement): Promise<void> {
  const { files } = state.platform
  if (announcement.items.length > 0) await writeDurably(files, state.preDownloads, announcement)
  else await removeDurably(files, state.preDownloads)
}

/** The server leaves out the files of content that the agent has reported. Without a list of files, an item waits for one. */
export function toAnnouncement(
  { work, depots, depotsAfterServer }: Upcoming,
  previous: Announcement,
  handedOut: ReadonlySet<number>,
): Announcement {
  const known = new Map(previous.items.map((item) => [keyOf(item), item.files]))
  let count = 0
  const items = work.flatMap(({ workId, package: subject, fetch, files: stated }) => {
    const files = stated ?? known.get(keyOf({ workId, package: subject }))
    if (!files || handedOut.has(workId)) return []
    count += files.length
    return count <= maxUpcoming.files ? [{ workId, package: subject, fetch, files }] : []
  })
  return { announcedUtc: new Date().toISOString(), depots, depotsAfterServer, items }
}

export const keyOf = ({ workId, package: { contentHash } }: Pick<AnnouncedItem, 'workId' | 'package'>) =>
  `${workId} ${contentHash}`

/** The different files of items, by their hashes. */
export function contentsOf(items: readonly AnnouncedItem[]): Map<string, PackageFile> {
  return new Map(items.flatMap(({ files }) => files.map((file) => [file.sha256, file])))
}

export function bytesOf(items: readonly AnnouncedItem[]): number {
  return contentsOf(items)
    .values()
    .reduce((sum, { size }) => sum + size, 0)
}
