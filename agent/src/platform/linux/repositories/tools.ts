import { execFile, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { print } from '@muster/text/print'
import { codeOf, ExpectedError } from '../../../expected-error.ts'
import { describeLockOwner } from './lock-owner.ts'

/** `waitedFor` names the program that still had the packages when the time for waiting was over. */
export type ToolEnd = { code: number | null; output: string; waitedFor?: string }

const defaultLockSeconds = 300
/** How long a tool may wait for another one that has locked the packages. */
export function lockSeconds(): number {
  const given = Number(process.env.MUSTER_PACKAGE_LOCK_SECONDS)
  return Number.isInteger(given) && given > 0 ? given : defaultLockSeconds
}
const lockPauseMs = 2_000
/** What a reason is looked for in. Everything is printed. */
const maxOutputLength = 64_000

/** The first of these tools that this computer has. */
export function findTool<T extends string>(...names: readonly T[]): T | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.find((name) => folders.some((folder) => isExecutable(join(folder, name))))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Runs a tool without a shell, prints what it prints, and returns that. Nothing can answer a question: its input is empty. Neither
 * variables of the computer nor anything else of Muster is in its environment, which scripts of packages inherit.
 */
export function runTool(tool: string, args: readonly string[], isShown = true): Promise<ToolEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { env: toolEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const onOutput = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-maxOutputLength)
      if (isShown) process.stdout.write(chunk)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** The same, and throws if it fails. `what` ends the sentence "... failed". */
export async function requireTool(
  what: string,
  tool: string,
  args: readonly string[],
  isShown = true,
): Promise<ToolEnd> {
  const end = await runTool(tool, args, isShown)
  if (end.code === 0) return end
  throw new ExpectedError(`${what} failed: ${reasonOf(end)}`)
}

/** Repeats a tool that ends at once while another one has a lock, and prints what it prints. */
export function runWhenFree(isBusy: RegExp, tool: string, args: readonly string[]): Promise<ToolEnd> {
  return whenFree(isBusy, (isFirst) => runTool(tool, args, isFirst))
}

/** The same for a tool whose answer is read. */
export async function readWhenFree(isBusy: RegExp, tool: string, args: readonly string[]): Promise<ToolEnd> {
  return whenFree(isBusy, async () => {
    const { code, output, errorOutput } = await readTool(tool, args)
    return { code, output: output + errorOutput }
  })
}

/** Says which program has the lock, and again when another one takes its place. */
async function whenFree(isBusy: RegExp, run: (isFirst: boolean) => Promise<ToolEnd>): Promise<ToolEnd> {
  let deadline: number | undefined
  let shown: string | undefined
  for (;;) {
    const end = await run(shown === undefined)
    if (end.code === 0 || !isBusy.test(end.output)) return end
    const owner = await describeLockOwner(end.output)
    deadline ??= Date.now() + lockSeconds() * 1_000
    if (Date.now() >= deadline) return { ...end, waitedFor: owner }
    if (owner !== shown) print(`Waiting at most ${lockSeconds()} seconds for ${owner}, which uses the packages.`)
    shown = owner
    await sleep(lockPauseMs)
  }
}

/** The lines of errors if the tool marks them, otherwise the last line. */
export function reasonOf({ code, output, waitedFor }: ToolEnd): string {
  if (waitedFor !== undefined)
    return `${waitedFor} still used the packages after ${lockSeconds()} seconds. Nothing was changed.`
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const errors = lines.filter((line) => /^(E:|Error:|error:|Problem)/.test(line))
  const shown = errors.length > 0 ? errors.slice(-5).join(' ') : lines.at(-1)
  return shown?.slice(0, 1_000).toWellFormed() ?? `exit code ${code}`
}

type ReadLimits = { timeout: number; maxBuffer: number }

/** What a repository says may be hostile: it costs no more time and memory than this. */
const readLimits: ReadLimits = { timeout: 180_000, maxBuffer: 64 * 1024 * 1024 }

/** What a tool answers, apart from its errors. Rejects with ENOENT without the tool, and if it exceeds the limits. */
export function readTool(
  tool: string,
  args: readonly string[],
  limits = readLimits,
): Promise<{ code: number; output: string; errorOutput: string }> {
  return new Promise((resolve, reject) => {
    const options = { ...limits, killSignal: 'SIGKILL', env: toolEnvironment() } as const
    const child = execFile(tool, args, options, (error, output, errorOutput) => {
      if (!error) return resolve({ code: 0, output, errorOutput })
      if (typeof error.code === 'number') return resolve({ code: error.code, output, errorOutput })
      const isTooLong = codeOf(error) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
      if (isTooLong) return reject(new ExpectedError(`${tool} printed more than ${limits.maxBuffer / 2 ** 20} MiB`))
      if (error.killed) return reject(new ExpectedError(`${tool} took longer than ${limits.timeout / 1_000} seconds`))
      reject(error)
    })
    child.stdin?.end()
  })
}

/** The same for a tool that has to succeed. */
export async function requireRead(tool: string, args: readonly string[], limits = readLimits): Promise<string> {
  const { code, output, errorOutput } = await readTool(tool, args, limits)
  if (code === 0) return output
  throw new ExpectedError(`${tool} failed: ${reasonOf({ code, output: errorOutput.trim() || output })}`)
}

function toolEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MUSTER_'))
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    DEBIAN_FRONTEND: 'noninteractive',
    DEBIAN_PRIORITY: 'critical',
    APT_LISTCHANGES_FRONTEND: 'none',
    UCF_FORCE_CONFFOLD: '1',
    // Muster waits itself, and says for which program.
    ZYPP_LOCK_TIMEOUT: '0',
  }
}
