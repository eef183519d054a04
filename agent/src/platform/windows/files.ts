import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Files, SingleInstance } from '../files.ts'
import { dataFolderPath } from './data-folder-path.ts'
import { isOfService, requireOwnFolder } from './own-folder.ts'
import { kernel32 } from './win32/kernel.ts'
import { createFolder, protect } from './win32/security.ts'
import { WindowsError } from './win32/system-error.ts'

const replaceExisting = 0x1
const writeThrough = 0x8

/** Access denied and sharing violation: a virus scanner or an indexer has one of both files open, which takes a moment. */
const inUseErrors = [5, 32]
const maxInUseMs = 3_000
const inUsePauseMs = 50

/** Full access for SYSTEM and the administrators; for nobody else, whatever the folder above allows. */
const onlyAdministrators = 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'
/** A state folder that is not that of the service may belong to a user. */
const alsoOwner = `${onlyAdministrators}(A;OICI;FA;;;OW)`

export const files: Files = {
  async replace(fresh, path) {
    const deadline = performance.now() + maxInUseMs
    while (kernel32.MoveFileExW(fresh, path, replaceExisting | writeThrough) === 0) {
      const error = new WindowsError(`${path} could not be replaced`)
      if (!inUseErrors.includes(error.number) || performance.now() > deadline) throw error
      await sleep(inUsePauseMs)
    }
  },
  /** NTFS logs changes of names itself, and `replace` waits until they are written. */
  async syncFolder() {},
  async makePrivateFolder(path) {
    const folder = resolve(path)
    await mkdir(dirname(folder), { recursive: true })
    const permissions = isOfService(folder) ? onlyAdministrators : alsoOwner
    if (createFolder(folder, permissions)) return
    requireOwnFolder(folder)
    protect(folder, permissions)
  },
}

/** Creates the data folder, or makes it one that only SYSTEM and administrators can read. */
export async function makeDataFolder(): Promise<void> {
  await files.makePrivateFolder(dataFolderPath())
}

/**
 * Only administrators can create pipes whose names begin like this. Otherwise any program could create the pipe before the
 * agent does: the agent would not start, and its commands would connect to that program with their rights.
 */
export const ofAdministrators = 'ProtectedPrefix\\Administrators\\'

/** A named pipe. Its name follows from the state folder, and it ends with the agent. */
export const instance: SingleInstance = {
  withAddress: (stateFolder, use) => {
    const folder = resolve(stateFolder)
    const name = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 32)
    return use(`\\\\.\\pipe\\${isOfService(folder) ? ofAdministrators : ''}muster-agent-${name}`)
  },
  removeStale: async () => {},
}
