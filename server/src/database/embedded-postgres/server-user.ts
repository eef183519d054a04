import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { type ProgramResult, programEnvironment, runProgram, waitForExit } from './run-program.ts'
import { type Account, ensureServerAccount, findNobody, serverAccountName } from './server-account.ts'

/** The user who runs PostgreSQL. Without `drop`, it is the user of this process. */
export type ServerUser = {
  drop?: Account
  diesWithParent: boolean
}

/** PostgreSQL refuses to run as root, so root drops to an account that only the database uses. */
export async function findServerUser(warn: (message: string) => void): Promise<ServerUser> {
  const diesWithParent = await hasParentDeathSignal()
  if (process.getuid?.() !== 0) return { diesWithParent }
  const account = await ensureServerAccount()
  if (account) return { drop: account, diesWithParent }
  warn(
    `The account ${serverAccountName} does not exist and cannot be created, so PostgreSQL runs as nobody: other ` +
      `programs of nobody can change the files of the database. Create a system account ${serverAccountName}, or start ` +
      'Muster as a user other than root.',
  )
  return { drop: await findNobody(), diesWithParent }
}

/** Starts a program as the server user, in its own session so that Ctrl-C in a terminal reaches only Muster. */
export function spawnAs(user: ServerUser, command: string, args: string[], stdio: StdioOptions): ChildProcess {
  // The working directory must be one that every user can enter.
  const options = { cwd: '/', env: programEnvironment, stdio, detached: true }
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

export async function runAs(user: ServerUser, command: string, args: string[]): Promise<ProgramResult> {
  return await waitForExit(spawnAs(user, command, args, ['ignore', 'pipe', 'pipe']))
}

/** Tries it, because mode bits do not reflect access control lists and mounts. */
export async function canReach(user: ServerUser, directory: string): Promise<boolean> {
  if (!user.drop) return true
  const attempt = await runAs(user, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory])
  return attempt.ok
}

async function hasParentDeathSignal(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const help = await runProgram('setpriv', ['--help'])
  return help.output.includes('--pdeathsig')
}
