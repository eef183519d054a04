import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { print } from '@muster/text/print'
import { ExpectedError } from '../../../expected-error.ts'

export type ToolEnd = { code: number | null; output: string }

/** How long a tool may wait for another one that has locked the packages. */
export const lockSeconds = 300
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

/** Repeats a tool that ends at once while another one has a lock. */
export async function runWhenFree(isBusy: RegExp, tool: string, args: readonly string[]): Promise<ToolEnd> {
  const deadline = Date.now() + lockSeconds * 1_000
  let end = await runTool(tool, args)
  while (end.code !== 0 && isBusy.test(end.output) && Date.now() < deadline) {
    print(`Waiting for another program that uses the packages, at most ${lockSeconds} seconds.`)
    await sleep(lockPauseMs)
    end = await runTool(tool, args)
  }
  return end
}

/** The lines of errors if the tool marks them, otherwise the last line. */
export function reasonOf({ code, output }: ToolEnd): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const errors = lines.filter((line) => /^(E:|Error:|error:|Problem)/.test(line))
  const shown = errors.length > 0 ? errors.slice(-5).join(' ') : lines.at(-1)
  return shown?.slice(0, 1_000).toWellFormed() ?? `exit code ${code}`
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
    ZYPP_LOCK_TIMEOUT: String(lockSeconds),
  }
}
