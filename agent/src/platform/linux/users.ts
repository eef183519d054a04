import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { visibleLine } from '@muster/text'
import type { Users } from '../machine.ts'

const run = promisify(execFile)

export const users: Users = {
  async loggedOn() {
    const { stdout } = await run('who', [], { timeout: 5_000 }).catch(() => ({ stdout: '' }))
    return /^\S+/.exec(stdout)?.[0] ?? null
  },
  // Work continues even if `wall` is missing.
  notify: (message) => void execFile('wall', [visibleLine(message)], () => undefined),
  // Desktops differ, and none of them answers a system service. Users suspend the agent with its command.
  isPresenting: async () => false,
}
