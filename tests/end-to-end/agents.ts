import { type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, chown, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { agentProgram } from '../../agent/test/agent-bundle.ts'
import { temporaryFolder } from '../../server/test/database/embedded-postgres/muster.ts'
import { compileCache } from '../../server/test/world/compile-cache.ts'
import type { Json } from '../../server/test/world/start-muster.ts'
import { nodeForOthers } from '../../tools/open-to-others.ts'

export type AgentOptions = {
  server: string
  token: string
  name: string
  env?: Record<string, string>
  /** A public key to pin at enrolment. */
  trustKey?: string
  /** The account that runs the agent, instead of that of the test. It sees the desktop of its own user alone. */
  uid?: number
}

/** A real agent with its own state and its own folder for what packages install. */
export async function enrolAgent({ server, token, name, env = {}, trustKey, uid }: AgentOptions) {
  const folder = await temporaryFolder()
  const start = await starterOf(folder, uid)
  const state = join(folder, 'state')
  const root = join(folder, 'root')
  const environment = { PATH: process.env.PATH, ...compileCache, MUSTER_EXAMPLE_ROOT: root, ...env }
  const identity = ['--name', name, '--uuid', randomUUID(), '--mac', randomMac()]
  const keys = trustKey === undefined ? [] : ['--trust-key', trustKey]
  const enrolled = start(
    ['enroll', '--server', server, '--token', token, '--state', state, ...identity, ...keys],
    environment,
  )
  const { code } = await enrolled.exited
  if (code !== 0) throw new Error(`The agent did not enrol:\n${enrolled.output()}`)
  const clientId = Number(/computer (\d+)/.exec(enrolled.output())?.[1])
  return {
    clientId,
    root,
    run: () => start(['run', '--state', state], environment),
    /** Carries out due work and exits. */
    runOnce: () => start(['run', '--once', '--state', state], environment).exited,
    /** The inventory that the agent collects on this machine. */
    async inventory(): Promise<Inventory> {
      const collected = start(['inventory'], environment)
      await collected.exited
      const sections = Object.entries(JSON.parse(collected.output()) as Record<string, Json | Json[]>)
      return {
        single: Object.fromEntries(sections.filter((one): one is [string, Json] => !Array.isArray(one[1]))),
        lists: Object.fromEntries(sections.filter((one): one is [string, Json[]] => Array.isArray(one[1]))),
      }
    },
  }
}

export type Inventory = { single: Record<string, Json>; lists: Record<string, Json[]> }

export type Agent = Awaited<ReturnType<typeof enrolAgent>>

/** Starts agents as the account, which needs a program that it can read and a folder that it can write. */
async function starterOf(folder: string, uid: number | undefined) {
  if (uid === undefined) return (args: string[], env: NodeJS.ProcessEnv) => begin(agentProgram, args, { env })
  const program = join(folder, 'agent.cjs')
  await copyFile(agentProgram, program)
  await chmod(program, 0o644)
  await chown(folder, uid, uid)
  // The cache of compiled code belongs to the account of the test.
  const node = await nodeForOthers()
  return (args: string[], { NODE_COMPILE_CACHE: _, ...env }: NodeJS.ProcessEnv) =>
    begin(program, args, { env, uid, gid: uid, cwd: folder }, node)
}

function begin(program: string, args: string[], options: SpawnOptions, node = process.execPath) {
  const child = spawn(node, [program, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  onTestFinished(async () => {
    await kill('SIGKILL')
  })
  return { output: () => output, exited, kill }
}

function randomMac(): string {
  return ['02', ...Array.from(randomBytes(5), (byte) => byte.toString(16).padStart(2, '0'))].join(':')
}
