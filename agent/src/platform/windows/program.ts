import { createReadStream } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { codeOf, ExpectedError, messageOf } from '../../expected-error.ts'
import type { Program } from '../self-update.ts'
import { files } from './files.ts'

/** Pointers are files with the name of a folder: links need a privilege. The archive is the compressed program. */
export const program: Program = {
  archiveName: `muster-agent-windows-${process.arch}.exe.gz`,
  async extract(archive, folder) {
    const path = join(folder, 'muster-agent.exe')
    const file = await open(path, 'wx')
    try {
      await pipeline(createReadStream(archive), createGunzip(), file.createWriteStream({ autoClose: false }))
      await file.sync()
    } catch (error) {
      throw new ExpectedError(`${archive} is not an archive of the agent: ${messageOf(error)}`)
    } finally {
      await file.close()
    }
    return path
  },
  async readPointer(path) {
    try {
      return (await readFile(path, 'utf8')).trim()
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  },
  async writePointer(path, folder) {
    const fresh = `${path}.new`
    await rm(fresh, { force: true })
    const file = await open(fresh, 'w')
    await file
      .writeFile(`${folder}\n`)
      .then(() => file.sync())
      .finally(() => file.close())
    await files.replace(fresh, path)
  },
  movePointer: files.replace,
}
