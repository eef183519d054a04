import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nodeForOthers } from '../../../tools/open-to-others.ts'
import type { ComputerSoftware } from '../../src/protocol.ts'
import { linesOf } from '../../src/user-channel/lines.ts'
import { agentProgram } from '../agent-bundle.ts'
import { type OnEnd, openWorld, until } from '../world.ts'

/** Accounts that need not exist: the system knows them by their numbers. */
export const mia = 41_001
export const noah = 41_002

/** Only root can act as several users. */
export const isRoot = process.getuid?.() === 0

type Software = ComputerSoftware['software'][number]

export const softwareItem = (own: Partial<Software> = {}): Software => ({
  ...{ packageId: '11', name: 'Greeting', version: '1.2.0', description: 'Says hello', category: '', iconSha256: null },
  ...{ state: 'Offered', action: 'Install', sinceUtc: null, offeredUntilUtc: null, reasons: [], postponementsLeft: 0 },
  ...own,
})

/** An agent that runs as root, and users of its computer, who reach it through its socket alone. */
export async function openComputer(onEnd: OnEnd = onTestFinished as OnEnd) {
  const world = await openWorld({ onEnd })
  const open = await mkdtemp(join(tmpdir(), 'muster-users-'))
  onEnd(() => rm(open, { recursive: true, force: true }))
  await chmod(open, 0o755)
  const folder = join(open, 'run')
  // The world of a test is closed to other users, and so may be the folder of its program.
  const program = join(open, 'agent.cjs')
  await copyFile(agentProgram, program)
  const node = await nodeForOthers()
  world.environment.MUSTER_AGENT_USER_FOLDER = folder
  world.server.software = { software: [], history: [], requests: [] }

  const begin = (user: number, ...args: string[]) => {
    const environment = { PATH: process.env.PATH, HOME: open, MUSTER_AGENT_USER_FOLDER: folder }
    return spawn(node, [program, ...args], {
      ...{ uid: user, gid: user, cwd: open, env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
    })
  }
  return {
    ...world,
    folder,
    begin,
    socket: join(folder, 'user.sock'),
    /** Starts the agent and waits until users can reach it. */
    async run() {
      const contacts = world.server.contacts.length
      const running = world.start('run')
      await until(() => world.server.contacts.length > contacts, 'the first contact')
      return running
    },
    /** Runs a command as a user. */
    async as(user: number, ...args: string[]) {
      const child = begin(user, ...args)
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk: Buffer) => {
          output += chunk.toString()
        })
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, output }
    },
    /** A connection on which the test says what it likes. */
    async connect() {
      const socket = connect(join(folder, 'user.sock'))
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
      const lines = linesOf(socket, 1024 * 1024)
      const ask = async (message: unknown) => {
        lines.write(message)
        return JSON.parse(await lines.read()) as Record<string, unknown>
      }
      return { socket, ask, read: lines.read }
    },
    /** A folder of a user, with what the user may write. */
    async homeOf(user: number) {
      const home = join(open, `home-${user}`)
      await mkdir(home, { recursive: true })
      return home
    },
  }
}

export type Computer = Awaited<ReturnType<typeof openComputer>>
