import { readTool } from '../repositories/tools.ts'

/** How people know the lock. */
export const lockName = 'apt-mark hold'

/** The names of locked packages, whatever their architecture. */
export async function listLocked(): Promise<Set<string>> {
  const { code, output } = await readTool('apt-mark', ['showhold'])
  return new Set(code === 0 ? parseLocked(output) : [])
}

export const parseLocked = (text: string) => text.split('\n').flatMap((line) => line.trim().replace(/:.*$/, '') || [])
