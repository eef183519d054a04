import { win32 } from 'node:path'
import type { UserPrograms } from '../programs.ts'
import { systemProgram, toCommandLine } from './command-line.ts'
import { endProcess, findSession, startTicksOfProcess } from './win32/process-sessions.ts'
import { listPrograms } from './win32/running-programs.ts'
import { runAsUser } from './win32/user-process.ts'

/** Services run in this session, and no person does. */
const sessionOfServices = 0
const askLimitMs = 10_000

export const userPrograms: UserPrograms = {
  async list(names) {
    if (names.length === 0) return []
    return listPrograms().flatMap(({ pid, path }) => {
      const file = win32.basename(path).toLowerCase()
      const name = names.find((one) => one.toLowerCase() === file)
      if (name === undefined || (findSession(pid) ?? sessionOfServices) === sessionOfServices) return []
      const startTicks = startTicksOfProcess(pid)
      return startTicks === undefined ? [] : [{ name, pid, startTicks }]
    })
  },
  async end({ pid, startTicks }, how) {
    const session = findSession(pid)
    if (session === undefined || startTicksOfProcess(pid) !== startTicks) return
    if (how === 'kill') return endProcess(pid)
    // The windows of a program only hear programs of their own session.
    const program = systemProgram('taskkill')
    const line = toCommandLine([program, '/PID', String(pid)])
    await runAsUser(session, { program, line, folder: win32.dirname(program), limitMs: askLimitMs })
  },
}
