import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { GraphicalSession } from './graphical-sessions.ts'

/** Only programs of the system run in sessions: no folder of a user is searched. */
const folders = ['/usr/bin', '/bin', '/usr/local/bin']
const maxOutput = 65_536

export async function findTool(name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}

/**
 * Runs a program with the rights of the user of a session, without a shell, and returns what it printed; null if it is missing,
 * fails or takes too long. What it answers is the word of that user, and nothing more.
 */
export async function runInSession(
  { uid, gid, environment }: GraphicalSession,
  [name = '', ...args]: readonly string[],
  limitMs: number,
): Promise<string | null> {
  const path = await findTool(name)
  if (!path) return null
  // Node drops the other groups of root as well.
  const identity = process.getuid?.() === 0 ? { uid, gid } : {}
  return new Promise((resolve) => {
    const child = execFile(
      path,
      args,
      {
        ...identity,
        env: { ...environment, PATH: folders.join(':') },
        cwd: '/',
        timeout: limitMs,
        maxBuffer: maxOutput,
      },
      (error, stdout) => resolve(error ? null : stdout),
    )
    child.stdin?.end()
  })
}
