import { rm } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { commands } from '../../cli/src/commands/index.ts'
import { run } from '../../cli/src/run.ts'
import type { Terminal } from '../../cli/src/terminal.ts'
import { operations } from '../../server/src/features/index.ts'
import type { World } from '../../server/test/world/open-world.ts'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'
import { type ServedWorld, serveWorld } from '../client/client-world.ts'

export type CommandResult = { code: number; out: string; err: string }

export type MusterCommand = ServedWorld & {
  /** Runs a command in this process, as a program without a terminal would. */
  muster(...args: string[]): Promise<CommandResult>
  /** The same, with another terminal. */
  musterOn(terminal: Partial<Terminal>, ...args: string[]): Promise<CommandResult>
  /** The environment of the commands, with the credentials of a principal that has all roles. */
  environment: Record<string, string>
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
    const sent: Request[] = []
    const note = (text: string) => {
      written.err += text
    }
    const code = await run(args, {
      write: (content) => {
        written.out += typeof content === 'string' ? content : Buffer.from(content).toString()
      },
      note,
      redraw: (line) => (terminal.note ?? note)(`\r\x1b[2K${line}`),
      isTerminal: false,
      showsProgress: false,
      width: 100,
      readInput: async () => '',
      ask: undefined,
      askSecret: undefined,
      openBrowser: () => {},
      environment,
      send: (request) => {
        sent.push(request)
        return fetch(request)
      },
      signal: new AbortController().signal,
      ...terminal,
    })
    requireDeclared(args, sent)
    return { code, ...written }
  }
  return { address, credentials, environment, settings, musterOn, muster: (...args) => musterOn({}, ...args) }
}

/** A command must name the operations that it calls: people choose roles by that. */
function requireDeclared(args: readonly string[], sent: readonly Request[]): void {
  const command = commands.find(({ name }) => name === args[0] || name === `${args[0]} ${args[1]}`)
  if (!command || command.name === 'api') return
  const called = sent
    .map(({ method, url }) => [method, new URL(url).pathname] as const)
    .filter(([, path]) => path !== '/openapi/v1.json')
    .map(([method, path]) => findOperationId(method, path))
  const undeclared = called.filter((id) => id !== 'requestToken' && !(command.operations as string[]).includes(id))
  if (undeclared.length > 0) throw new Error(`${command.name} does not name the operations ${undeclared.join(', ')}.`)
}

/** The operation of a request. A path without parameters is the more specific one. */
function findOperationId(method: string, path: string): string {
  const matching = operations.filter(
    (one) => one.method === method && new RegExp(`^${one.path.replace(/:\w+/g, '[^/]+')}$`).test(path),
  )
  return (matching.find((one) => one.path === path) ?? matching[0])?.id ?? path
}
