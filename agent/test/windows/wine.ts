import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebianPackages } from '../../../tools/debian-packages.ts'
import { processesWith } from '../remaining-processes.ts'

/** Why programs for Windows cannot be run on this machine; undefined if they can. Installs Wine if it is missing. */
export function findReasonAgainstWine(): string | undefined {
  if (process.arch !== 'x64') return `Wine runs programs for x64 only on x64, and this machine is ${process.arch}`
  return findReasonAgainstToolsOfWine()
}

/** The same for the programs that are part of Wine itself, such as msiexec and cmd. */
export function findReasonAgainstToolsOfWine(): string | undefined {
  if (!['x64', 'arm64'].includes(process.arch)) return `Debian has no Wine for ${process.arch}`
  if (isInstalled('wine') && isInstalled('wixl') && isInstalled('msibuild')) return undefined
  return installDebianPackages()
}

const isInstalled = (program: string) => !spawnSync(program, ['--version']).error

export type Ended = { code: number | null; output: string }
export type WineProcess = { child: ChildProcess; output(): string; ended: Promise<Ended>; kill(): Promise<void> }

export type Wine = Awaited<ReturnType<typeof openWine>>

/** A computer with Windows: a prefix of Wine of its own, which is removed by `close`. */
export async function openWine() {
  const root = await mkdtemp(join(tmpdir(), 'muster-wine-'))
  const prefix = join(root, 'prefix')
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: root,
    WINEPREFIX: prefix,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    // Names of files can have any character.
    LC_ALL: 'C.UTF-8',
    // Neither Mono nor Gecko is needed, and Wine would ask for them.
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  }
  let count = 0
  let isClosed = false

  /** The program gets files for its output, because Node under Wine cannot use pipes. */
  function start(args: readonly string[], variables: Record<string, string> = {}): WineProcess {
    // A test that has timed out may go on. In a prefix that is being removed, Wine would start and never end.
    if (isClosed) throw new Error('This Windows is closed.')
    const file = join(root, `output-${++count}`)
    const output = openSync(file, 'w')
    const child = spawn('wine', args, {
      env: { ...environment, ...variables },
      stdio: ['ignore', output, output],
      cwd: root,
    })
    closeSync(output)
    const read = () => readFileSync(file, 'utf8')
    const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, output: read() }))
    return {
      child,
      output: read,
      ended,
      async kill() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }

  const server = (option: string) => spawnSync('wineserver', [option], { env: environment, stdio: 'ignore' })
  await mkdir(prefix, { recursive: true })
  await start(['wineboot', '-i']).ended
  await start(['winecfg', '-v', 'win10']).ended
  // The service manager that has prepared the prefix starts no services. The next one does.
  server('-k')
  // Without other programs, the services would end.
  server('-p')

  return {
    root,
    drive: join(prefix, 'drive_c'),
    start,
    run: (args: readonly string[], variables?: Record<string, string>) => start(args, variables).ended,
    /**
     * Ends the process that knows the volumes; afterwards Windows has none. Node asks for the volume of every file, and if a
     * program is killed while it asks, that process answers nobody any more, so all programs wait forever.
     */
    endVolumes() {
      const programs = processesWith(`WINEPREFIX=${prefix}`)
      const managers = programs.filter(({ pid }) => readFileSync(`/proc/${pid}/maps`, 'utf8').includes('mountmgr.sys'))
      if (managers.length === 0) throw new Error('No process of Wine knows the volumes.')
      for (const { pid } of managers) process.kill(pid, 'SIGKILL')
    },
    async close() {
      isClosed = true
      server('-k')
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}

/** The path of a file of this machine as programs under Wine see it. */
export const seenByWine = (path: string) => `Z:${path.replaceAll('/', '\\')}`
