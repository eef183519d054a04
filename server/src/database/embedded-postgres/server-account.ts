import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { runProgram } from './run-program.ts'

export type Account = { uid: number; gid: number }

/** PostgreSQL runs as this system account if root starts Muster. Nothing else runs as it. */
export const serverAccountName = 'muster'

const properties = ['--system', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/false']

/** A system has one of these programs. The second line is for a system that has a group of this name. */
const commands: [string, string[]][] = [
  ['useradd', [...properties, '--user-group']],
  ['useradd', [...properties, '--gid', serverAccountName]],
  // BusyBox.
  ['adduser', ['-S', '-D', '-H', '-s', '/bin/false']],
]

const maxAttempts = 20
const pauseMs = 250

/** Finds or creates the account. Undefined where that is not possible, for example because /etc is read-only. */
export async function ensureServerAccount(): Promise<Account | undefined> {
  for (let attempt = 1; ; attempt++) {
    const existing = await findAccount(serverAccountName)
    if (existing) return existing.uid === 0 ? undefined : existing
    // Another process that changes the list of accounts locks it for a moment.
    const isLocked = (await createAccount()).includes('try again')
    if (isLocked && attempt < maxAttempts) await sleep(pauseMs)
    else return await findAccount(serverAccountName)
  }
}

/** Returns what the programs printed about their failures. */
async function createAccount(): Promise<string> {
  const failures: string[] = []
  for (const [program, args] of commands) {
    const { ok, output } = await runProgram(program, [...args, serverAccountName])
    if (ok) break
    failures.push(output)
  }
  return failures.join('\n')
}

/** The account that has no rights. Other programs run as it, too. */
export async function findNobody(): Promise<Account> {
  return (await findAccount('nobody')) ?? { uid: 65_534, gid: 65_534 }
}

async function findAccount(name: string): Promise<Account | undefined> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const line = accounts.split('\n').find((candidate) => candidate.startsWith(`${name}:`))
  const [, , uid = '', gid = ''] = line?.split(':') ?? []
  if (!/^-?\d+$/.test(uid) || !/^-?\d+$/.test(gid)) return undefined
  // On macOS, nobody is -2.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
}
