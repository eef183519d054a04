import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FootprintItem, PlaceFootprint } from '../footprint.ts'

/** A folder in which software is installed, and how many levels below it are looked at. */
export type Place = { path: string; depth: number }

/** Enough for what software usually leaves, and a bound for what somebody keeps there besides. */
const maxItemsInPlace = 50_000
const maxMilliseconds = 15_000

/** Lists the places one after the other, without following links. Together, they take a limited time. */
export async function listPlaces(places: readonly Place[]): Promise<PlaceFootprint[]> {
  const endsAt = performance.now() + maxMilliseconds
  const listed: PlaceFootprint[] = []
  for (const place of places) listed.push(await listPlace(place, endsAt))
  return listed
}

async function listPlace({ path, depth }: Place, endsAt: number): Promise<PlaceFootprint> {
  const levels: FootprintItem[][] = []
  let folders = [path]
  let count = 0
  while (levels.length < depth && folders.length > 0) {
    const level: FootprintItem[] = []
    for (const folder of folders) {
      level.push(...(await listFolder(folder)))
      if (count + level.length > maxItemsInPlace || performance.now() > endsAt)
        return { place: path, levels, isComplete: false }
    }
    count += level.length
    levels.push(level)
    folders = level.filter(({ kind }) => kind === 'Folder').map(({ name }) => name)
  }
  // A level that does not exist is one without items.
  while (levels.length < depth) levels.push([])
  return { place: path, levels, isComplete: true }
}

async function listFolder(folder: string): Promise<FootprintItem[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])
  return entries.map((entry) => ({ kind: entry.isDirectory() ? 'Folder' : 'File', name: join(folder, entry.name) }))
}
