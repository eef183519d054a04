import { rm } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { run } from '../../../cli/src/run.ts'
import type { Terminal } from '../../../cli/src/terminal.ts'
import { type ServedWorld, serveWorld } from '../client/client-world.ts'
import type { World } from '../world/open-world.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

export type CommandResult = { code: number; out: string; err: string }

export type MusterCommand = ServedWorld & {
  /** Runs a command in this process, as a program without a terminal would. */
  muster(...args: string[]): Promise<CommandResult>
  /** The same, with another terminal. */
  musterOn(terminal: Partial<Terminal>, ...args: string[]): Promise<CommandResult>
  /** The folder of the settings of the user. */
  settings: string
}

/** The command line for a world, with the credentials of a principal that has all roles. */
export async function commandsIn(world: Pick<World, 'app' | 'given'>): Promise<MusterCommand> {
  const { address, credentials } = await serveWorld(world)
  const settings = await openTemporaryFolder()
  afterAll(() => rm(settings, { recursive: true }))
  const environment = {
    XDG_CONFIG_HOME: settings,
    MUSTER_URL: address,
    MUSTER_CLIENT_ID: credentials.clientId,
    MUSTER_CLIENT_SECRET: credentials.clientSecret,
  }
  const musterOn = async (terminal: Partial<Terminal>, ...args: string[]): Promise<CommandResult> => {
    const written = { out: '', err: '' }
    const code = await run(args, {
      write: (text) => {
        written.out += text
      },
      note: (text) => {
        written.err += text
      },
      isTerminal: false,
      showsProgress: false,
      width: 100,
      readInput: async () => '',
      askSecret: undefined,
      openBrowser: () => {},
      environment,
      signal: new AbortController().signal,
      ...terminal,
    })
    return { code, ...written }
  }
  return { address, credentials, settings, musterOn, muster: (...args) => musterOn({}, ...args) }
}
