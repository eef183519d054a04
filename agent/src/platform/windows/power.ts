import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Power, PowerAction } from '../machine.ts'
import { systemProgram } from './command-line.ts'
import { endSession, listSessions } from './win32/sessions.ts'

/** At once, even if a program does not answer. The user has been notified before. */
const shutdownArguments: Record<Exclude<PowerAction, 'LogOff'>, string[]> = {
  Reboot: ['/r', '/t', '0', '/f', '/d', 'p:4:1'],
  Shutdown: ['/s', '/t', '0', '/f', '/d', 'p:4:1'],
}

export const power: Power = {
  describe: (action) =>
    action === 'LogOff' ? 'WTSLogoffSession' : ['shutdown', ...shutdownArguments[action]].join(' '),
  async perform(action) {
    if (action === 'LogOff') return endAllSessions()
    const child = spawn(systemProgram('shutdown'), shutdownArguments[action], { stdio: 'ignore', windowsHide: true })
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  },
}

/** A session that cannot be ended does not save the others. */
function endAllSessions(): number {
  return listSessions().filter(({ id }) => !endSession(id)).length === 0 ? 0 : 1
}
