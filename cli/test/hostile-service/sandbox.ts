import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { run } from '../../src/run.ts'
import type { Terminal } from '../../src/terminal.ts'

export const canaries = { environment: 'canary-of-the-environment', file: 'canary-of-a-file', secret: 'canary-secret' }

export type Outcome = { code: number; out: string; err: string; opened: string[] }

/** Folders with things that a service must not get or change, and a terminal of a person. */
export async function openSandbox(address: string) {
  const root = await mkdtemp(join(tmpdir(), 'muster-hostile-'))
  afterAll(() => rm(root, { recursive: true }))
  const stateFolder = join(root, 'deep/er/state')
  for (const folder of [stateFolder, join(root, 'outside'), join(root, 'settings')])
    await mkdir(folder, { recursive: true })
  await writeFile(join(root, 'outside/secret.txt'), canaries.file)
  await writeFile(join(stateFolder, 'tags.yaml'), 'tags:\n  - name: Mine\n')

  const environment = {
    XDG_CONFIG_HOME: join(root, 'settings'),
    MUSTER_URL: address,
    MUSTER_CLIENT_ID: 'ci',
    MUSTER_CLIENT_SECRET: canaries.secret,
    AWS_SECRET_ACCESS_KEY: canaries.environment,
  }

  /** Runs a command on a terminal on which a person agrees to everything. */
  async function muster(args: readonly string[], terminal: Partial<Terminal> = {}): Promise<Outcome> {
    const outcome: Outcome = { code: 0, out: '', err: '', opened: [] }
    outcome.code = await run(args, {
      write: (content) => {
        outcome.out += typeof content === 'string' ? content : Buffer.from(content).toString()
      },
      note: (text) => {
        outcome.err += text
      },
      redraw: (line) => {
        outcome.err += `${line}\n`
      },
      isTerminal: true,
      showsProgress: true,
      width: 120,
      readInput: async () => '',
      ask: async (question) => {
        outcome.err += question
        return 'yes'
      },
      askSecret: async () => canaries.secret,
      openBrowser: (page) => void outcome.opened.push(page),
      environment,
      send: (request) => fetch(request),
      limits: { maxBytes: 1024 * 1024, maxMs: 100 },
      signal: AbortSignal.timeout(3_000),
      ...terminal,
    })
    return outcome
  }

  /** All files outside the folder of the state, with their contents. */
  async function listFilesOutside(): Promise<Record<string, string>> {
    const files = await readdir(root, { recursive: true, withFileTypes: true })
    const outside = files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => !file.startsWith(stateFolder) && !file.includes('settings/muster'))
      .sort()
    return Object.fromEntries(await Promise.all(outside.map(async (file) => [file, await readFile(file, 'utf8')])))
  }

  return { root, stateFolder, environment, muster, listFilesOutside }
}
