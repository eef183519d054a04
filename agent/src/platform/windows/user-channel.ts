import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { UserChannel } from '../user-channel.ts'
import { dataFolderPath } from './data-folder-path.ts'
import { files, ofAdministrators } from './files.ts'
import { isOfService } from './own-folder.ts'
import { openWithShell } from './win32/open-with-shell.ts'
import { createFolder, isElevated, nameOfAccount, ownAccount } from './win32/security.ts'

/** Accounts of this computer, of a domain and of Entra ID, SYSTEM, and the services. No other text may become permissions. */
const accountPattern = /^S-1-(5-18|5-19|5-20|5-21(-\d{1,10}){4}|12-1(-\d{1,10}){4})$/

const challengesOf = (stateFolder: string) => join(resolve(stateFolder), 'challenges')

/**
 * A named pipe, which every user can open. Node does not say who has opened it, so the agent asks for a secret in a file that only
 * one account can read. No folder above it needs to be readable: Windows lets everybody pass through folders.
 */
export const userChannel: UserChannel = {
  findForeignState: () => (isElevated() ? undefined : dataFolderPath()),
  async prepare(stateFolder) {
    const folder = challengesOf(stateFolder)
    await files.makePrivateFolder(folder)
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
  },
  withAddress(stateFolder, use) {
    const folder = resolve(stateFolder)
    const name = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 32)
    return use(`\\\\.\\pipe\\${isOfService(folder) ? ofAdministrators : ''}muster-user-${name}`)
  },
  ownAccount,
  async challenge(stateFolder, account) {
    if (!accountPattern.test(account)) throw new Error('The account is not a security identifier.')
    const folder = join(challengesOf(stateFolder), randomBytes(16).toString('hex'))
    await mkdir(challengesOf(stateFolder), { recursive: true })
    createFolder(folder, `D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;OW)(A;OICI;FR;;;${account})`)
    const path = join(folder, 'secret')
    const secret = randomBytes(32).toString('hex')
    await writeFile(path, secret, { flag: 'wx' })
    return { path, secret, remove: () => rm(folder, { recursive: true, force: true }) }
  },
  nameOf: async (account) => nameOfAccount(account) ?? account,
  openInBrowser: async (file) => openWithShell(file),
}
