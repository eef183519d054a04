import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { codeOf } from '../../expected-error.ts'
import type { UserProgram, UserPrograms } from '../programs.ts'
import { statusOf } from './processes.ts'

/** The ids of people, as distributions assign them. Others belong to the system. */
const people = { min: 1_000, max: 60_000 }

/** The kernel cuts the name of a process after this many bytes. */
const maxCommLength = 15

/** An agent without the rights of root only sees the processes of its own user. */
export function isPerson(uid: number): boolean {
  const own = process.getuid?.() ?? 0
  return own === 0 ? uid >= people.min && uid <= people.max : uid === own
}

/** The programs of these users. */
export function programsOf(isListed: (uid: number) => boolean): UserPrograms {
  return {
    async list(names) {
      if (names.length === 0) return []
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
      const found = await Promise.all(pids.map((pid) => findProgram(pid, names, isListed)))
      return found.filter((program) => program !== undefined)
    },
    async end(program, how) {
      const found = await findProgram(program.pid, [program.name], isListed)
      if (found?.startTicks !== program.startTicks) return
      try {
        process.kill(program.pid, how === 'ask' ? 'SIGTERM' : 'SIGKILL')
      } catch (error) {
        if (codeOf(error) !== 'ESRCH') throw error
      }
    },
  }
}

export const userPrograms = programsOf(isPerson)

/** The program of a process, if it has one of the names and belongs to a person. The process may end at any time. */
async function findProgram(
  pid: number,
  names: readonly string[],
  isListed: (uid: number) => boolean,
): Promise<UserProgram | undefined> {
  if (pid === process.pid) return undefined
  const folder = `/proc/${pid}`
  const owner = await stat(folder).catch(() => undefined)
  if (!owner || !isListed(owner.uid)) return undefined
  const comm = (await readFile(`${folder}/comm`, 'utf8').catch(() => '')).trimEnd()
  const program = basename(await readlink(`${folder}/exe`).catch(() => '')).replace(/ \(deleted\)$/, '')
  const name = names.find((one) => one === program || one.slice(0, maxCommLength) === comm)
  if (name === undefined) return undefined
  const status = await statusOf(pid)
  return status && status.state !== 'Z' ? { name, pid, startTicks: status.startTicks } : undefined
}
