import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Files, SingleInstance } from '../files.ts'

export const files: Files = {
  async replace(fresh, path) {
    await rename(fresh, path)
    await syncFolder(dirname(path))
  },
  syncFolder,
  async makePrivateFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await chmod(path, 0o700)
  },
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** A socket in the state folder. It is addressed through the open folder, because socket paths have a short maximum length. */
export const instance: SingleInstance = {
  async withAddress(stateFolder, use) {
    const folder = await open(stateFolder, 'r')
    try {
      return await use(`/proc/self/fd/${folder.fd}/agent.sock`)
    } finally {
      await folder.close()
    }
  },
  removeStale: (address) => rm(address, { force: true }),
}
