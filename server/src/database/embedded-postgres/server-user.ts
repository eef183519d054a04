import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'

/** The user who runs PostgreSQL. Without `drop`, it is the user of this process. */
export type ServerUser = {
  drop?: { uid: number; gid: number }
  diesWithParent: boolean
}

// Not our own environment: it may contain secrets, and PG* or LD_* variables would change what runs.
const environment = {
  PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** PostgreSQL refuses to run as root, so root drops to the owner of an existing cluster, or else to `nobody`. */
export async function findServerUser(clusterDirectory: string): Promise<ServerUser> {
  const diesWithParent = await hasParentDeathSignal()
  if (process.getuid?.() !== 0) return { diesWithParent }

  const owner = await stat(clusterDirectory).catch(() => undefined)
  const drop = owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : await findNobody()
  return { drop, diesWithParent }
}

/** Starts a program as the server user, in its own session, so that Ctrl-C in a terminal reaches only Muster. */
export function spawnAs(user: ServerUser, command: string, args: string[], stdio: StdioOptions): ChildProcess {
  // The working directory must be one that every user can enter.
  const options = { cwd: '/', env: environment, stdio, detached: true }
  if (!user.diesWithParent) {
    // Node expects signed ids: on macOS, nobody is -2.
    const ids = user.drop ? { uid: user.drop.uid | 0, gid: user.drop.gid | 0 } : {}
    return spawn(command, args, { ...options, ...ids })
  }
  // Changing the user clears the parent death signal, so setpriv does both in the right order.
  const drop = user.drop
    ? ['--reuid', String(user.drop.uid), '--regid', String(user.drop.gid), '--clear-groups']
    : ['--keep-groups']
  return spawn('setpriv', [...drop, '--pdeathsig', 'INT', '--', command, ...args], options)
}

export async function runAs(
  user: ServerUser,
  command: string,
  args: string[],
): Promise<{ ok: boolean; output: string }> {
  return await waitForExit(spawnAs(user, command, args, ['ignore', 'pipe', 'pipe']))
}

/** Tries it, because mode bits do not reflect access control lists and mounts. */
export async function canReach(user: ServerUser, directory: string): Promise<boolean> {
  if (!user.drop) return true
  const attempt = await runAs(user, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory])
  return attempt.ok
}

function waitForExit(child: ChildProcess): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('error', (error) => resolve({ ok: false, output: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output: output.trim() }))
  })
}

async function hasParentDeathSignal(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const help = await waitForExit(
    spawn('setpriv', ['--help'], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  return help.output.includes('--pdeathsig')
}

async function findNobody(): Promise<{ uid: number; gid: number }> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const found = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(accounts)
  return { uid: Number(found?.[1] ?? 65534) >>> 0, gid: Number(found?.[2] ?? 65534) >>> 0 }
}
