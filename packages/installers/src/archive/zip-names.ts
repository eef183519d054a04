import type { Source } from '../source.ts'
import { zipEntries } from './zip.ts'

/** The first names in a ZIP archive, and whether these are all. */
export async function listZipNames(source: Source): Promise<{ names: string[]; isComplete: boolean }> {
  const names: string[] = []
  for await (const { name } of zipEntries(source)) {
    if (names.length >= source.budget.limits.maxEntries) return { names, isComplete: false }
    names.push(name)
  }
  return { names, isComplete: true }
}
