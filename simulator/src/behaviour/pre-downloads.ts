import type { ContactAnswer, Upcoming } from '../protocol.ts'
import { fetchFiles } from './files.ts'
import type { PreDownloadsOfComputer, Report, StoredReport } from './pre-download-reports.ts'
import { drawsFor, senderOf, type World } from './world.ts'

/** Of the downloads before their time, this share fails at first. */
const failureRate = 0.02

/** What a contact reports. Undefined as long as the service has announced nothing. */
export function reportPreDownloads(world: World, computer: number): Report[] | undefined {
  const known = world.preDownloads.get(computer)
  return known && [...known.values()].map(({ bytes: _, ...report }) => report)
}

/** Takes over what the service announces. Returns whether it waits for another contact. */
export async function takeUpcoming(world: World, computer: number, answer: ContactAnswer): Promise<boolean> {
  const { preDownloads } = world
  const { upcoming, hasUpcoming } = answer
  if (hasUpcoming && !preDownloads.has(computer)) {
    preDownloads.set(computer, new Map())
    return true
  }
  if (!upcoming) return false
  const before = preDownloads.get(computer)
  const after: PreDownloadsOfComputer = new Map()
  for (const item of upcoming.work) {
    const report = await download(world, computer, upcoming, item, before?.get(item.workId))
    if (report) after.set(item.workId, report)
  }
  if (upcoming.work.length > 0) preDownloads.set(computer, after)
  else preDownloads.delete(computer)
  return false
}

/** What begins at one contact is complete, or has failed, at the next one. What has failed is tried again. */
async function download(
  world: World,
  computer: number,
  { depots }: Upcoming,
  { workId, package: { contentHash }, files, fetch }: Upcoming['work'][number],
  before: StoredReport | undefined,
): Promise<StoredReport | undefined> {
  if (before?.contentHash !== contentHash) {
    if (!files) return undefined
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    if (fetch && world.scenario.work.downloadsFiles)
      await fetchFiles(world, senderOf(world, computer), workId, { files, depots })
    const fetchedBytes = fetch ? Math.floor(bytes / 2) : 0
    return { workId, contentHash, state: fetch ? 'Fetching' : 'Waiting', fetchedBytes, message: null, bytes }
  }
  if (!fetch || before.state === 'Ready') return before
  world.measurements.count('downloads before their time')
  const isFirst = before.state === 'Fetching'
  if (isFirst && drawsFor(world, computer, 'pre-download', workId).happens(failureRate))
    return { ...before, state: 'Failed', message: 'The disk is full.' }
  return { ...before, state: 'Ready', fetchedBytes: before.bytes, message: null }
}
