import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ExpectedError } from '../../expected-error.ts'
import type { Challenge, UserChannel } from '../user-channel.ts'

const run = promisify(execFile)

export const systemState = '/var/lib/muster-agent'
const systemFolder = '/run/muster-agent'
const maxUserId = 2 ** 32 - 2

export const ownState = () => join(homedir(), '.local/state/muster-agent')

/** A folder that everybody can enter and only the agent can change: with the socket, and with the folder of challenges. */
function folderOf(stateFolder: string): string {
  const chosen = process.env.MUSTER_AGENT_USER_FOLDER
  if (chosen) return resolve(chosen)
  return stateFolder === systemState ? systemFolder : join(stateFolder, 'user')
}

const challengesOf = (stateFolder: string) => join(folderOf(stateFolder), 'challenges')

export const userChannel: UserChannel = {
  findForeignState() {
    // An agent that a user has enrolled belongs to that user.
    const isOwn = process.getuid?.() === 0 || existsSync(join(ownState(), 'identity.json'))
    return isOwn ? undefined : systemState
  },
  async prepare(stateFolder) {
    const folder = folderOf(stateFolder)
    await mkdir(folder, { recursive: true, mode: 0o755 })
    await requireOwn(folder)
    const challenges = challengesOf(stateFolder)
    // Known paths can be opened; others cannot be listed.
    await mkdir(challenges, { mode: 0o711 }).catch(() => undefined)
    await requireOwn(challenges)
    for (const name of await readdir(challenges)) await rm(join(challenges, name), { force: true })
    await rm(join(folder, 'user.sock'), { force: true })
  },
  /** Addressed through the open folder, because socket paths have a short maximum length. */
  async withAddress(stateFolder, use) {
    const folder = await open(folderOf(stateFolder), 'r')
    try {
      return await use(`/proc/self/fd/${folder.fd}/user.sock`)
    } finally {
      await folder.close()
    }
  },
  ownAccount: () => String(process.getuid?.() ?? ''),
  async challenge(stateFolder, account) {
    const userId = /^\d{1,10}$/.test(account) ? Number(account) : Number.NaN
    if (!(userId <= maxUserId)) throw new Error('The account is not a user id.')
    return writeChallenge(challengesOf(stateFolder), userId)
  },
  async nameOf(account) {
    // Users of a directory are in no file. A name may contain anything but the separator.
    const { stdout } = await run('getent', ['passwd', account], { timeout: 5_000 }).catch(() => ({ stdout: '' }))
    return stdout.split(':')[0]?.trim() || `uid ${account}`
  },
  async openInBrowser(file) {
    const browser = spawn('xdg-open', [file], { stdio: 'ignore', detached: true })
    return new Promise((resolve) => {
      browser.once('error', () => resolve(false))
      browser.once('exit', (code) => resolve(code === 0))
      // A browser that is started by it may run as long as it does.
      setTimeout(() => resolve(true), 2_000).unref()
      browser.unref()
    })
  },
}

/** A user who can change the folder could put a socket or a challenge of their own there. */
async function requireOwn(folder: string): Promise<void> {
  const found = await lstat(folder)
  const isOwn = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
  if (!isOwn) throw new ExpectedError(`${folder} is not a folder that only the account of the agent can change.`)
}

/** The file is given to the account only once it is complete, and nobody can replace it in the folder of the agent. */
async function writeChallenge(folder: string, userId: number): Promise<Challenge> {
  const path = join(folder, randomBytes(16).toString('hex'))
  const secret = randomBytes(32).toString('hex')
  const file = await open(path, 'wx', 0o400)
  try {
    await file.writeFile(secret)
    await giveTo(file, userId)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return { path, secret, remove: () => rm(path, { force: true }) }
}

/** An agent without the rights of root can give nothing away: it serves the account that runs it. */
async function giveTo(file: FileHandle, userId: number): Promise<void> {
  if (userId !== process.getuid?.()) await file.chown(userId, process.getgid?.() ?? 0)
}
