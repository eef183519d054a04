import { readTool } from '../repositories/tools.ts'

/** How people know the lock. */
export const lockName = 'apt-mark hold'

/** The names of packages on hold, whatever their architecture. */
export async function listHeld(): Promise<Set<string>> {
  const { code, output } = await readTool('apt-mark', ['showhold'])
  return new Set(code === 0 ? parseHeld(output) : [])
}

export const parseHeld = (text: string) => text.split('\n').flatMap((line) => line.trim().replace(/:.*$/, '') || [])
