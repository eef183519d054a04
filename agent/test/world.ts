import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { agentProgram } from './agent-bundle.ts'
import { credential, FakeServer } from './fake-server.ts'
import { requireNoProcess } from './remaining-processes.ts'
import { runHere } from './run-here.ts'

type Ended = { code: number | null; output: string }
export type Running = { child: ChildProcess; output(): string; ended: Promise<Ended>; kill(): Promise<void> }

/** A command that blocks until the test lets it continue, like a slow installer. */
export const waiting = (before: string, after: string) => ({
  shell: `${before}; echo $$ >> "$ROOT/begun"; while ! test -e "$ROOT/go-on"; do sleep 0.02; done; ${after}`,
})

/** When a world ends: with its test, or with a suite whose tests share it. */
export type OnEnd = (end: () => Promise<void>) => void

export type World = Awaited<ReturnType<typeof openWorld>>

/** A fake server, an agent that is enrolled with it by default, and a folder for what commands leave. */
export async function openWorld({ isEnrolled = true, onEnd = onTestFinished as OnEnd } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'muster-agent-test-'))
  onEnd(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))
  // Runs after everything that the test has registered to end its processes.
  onEnd(() => requireNoProcess(root))
  const state = join(root, 'state')
  const server = await new FakeServer().open()
  onEnd(() => server.close())
  // So that no machine is ever restarted by a test, whatever goes wrong.
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    ROOT: root,
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/node'),
    MUSTER_AGENT_INVENTORY: 'off',
    MUSTER_AGENT_REBOOT_COMMAND: `echo $MUSTER_POWER_ACTION >> ${root}/power`,
  }

  const start = (...args: string[]) =>
    begin(process.execPath, [agentProgram, ...args, '--state', state], environment, onEnd)
  const agent = (...args: string[]) => runHere([...args, '--state', state], environment)
  if (isEnrolled) await enrolHere(state, server.url)

  return {
    root,
    state,
    server,
    environment,
    /** Runs a command to its end. */
    agent,
    /** Starts a process, which the test may end. */
    start,
    /** The agent in a shell line in which "$@" stands for it. */
    inShell: (line: string, ...args: string[]) =>
      begin(
        '/bin/sh',
        ['-c', line, 'sh', process.execPath, agentProgram, ...args, '--state', state],
        environment,
        onEnd,
      ),
    runOnce: () => agent('run', '--once'),
    left: (name: string) => (existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : undefined),
    /** The number of lines that commands have added to a file. */
    times: (name: string) =>
      existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8').split('\n').length - 1 : 0,
    /** A program that the agent finds before the one of the system. */
    async installFakeTool(name: string, script: string) {
      const folder = join(root, 'bin')
      environment.PATH = `${folder}:${environment.PATH}`
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
      await chmod(join(folder, name), 0o755)
    },
    journal: async () => (await readdir(join(state, 'journal'))).filter((name) => name.endsWith('.json')),
    /** Everything the agent has written anywhere in its folder. */
    async stored(): Promise<string> {
      const entries = await readdir(state, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join(
        '\n',
      )
    },
  }
}

/** What an enrolment leaves, without the time that its process takes. */
async function enrolHere(state: string, server: string): Promise<void> {
  await mkdir(state, { mode: 0o700 })
  const identity = { server, enrolmentKey: 'k'.repeat(43), clientId: 7, credential, hasCertificates: false }
  await writeFile(join(state, 'identity.json'), JSON.stringify(identity), { mode: 0o600 })
}

function begin(command: string, args: string[], environment: NodeJS.ProcessEnv, onEnd: OnEnd): Running {
  const child = spawn(command, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const add = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  // Commands that outlive a killed agent keep its pipes: its exit is what counts.
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code) => setTimeout(() => resolve({ code, output }), 10))
  })
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
  onEnd(kill)
  return { child, output: () => output, ended, kill }
}

/** Waits until something is so, for a few seconds. What takes long is looked at less often, because looking takes processor time. */
export async function until<T>(
  look: () => T | Promise<T>,
  what = 'what was waited for',
  milliseconds = 10_000,
  pauseMs = 15,
): Promise<NonNullable<T>> {
  const start = Date.now()
  while (Date.now() < start + milliseconds) {
    const found = await look()
    if (found) return found as NonNullable<T>
    await sleep(Math.max(pauseMs, Math.min((Date.now() - start) / 10, 100)))
  }
  throw new Error(`It did not happen in time: ${what}`)
}
