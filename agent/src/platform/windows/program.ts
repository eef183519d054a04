import { createReadStream, createWriteStream } from 'node:fs'
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
    const target = createWriteStream(path, { flags: 'wx', flush: true })
    await pipeline(createReadStream(archive), createGunzip(), target).catch((error: unknown) => {
      throw new ExpectedError(`${archive} is not an archive of the agent: ${messageOf(error)}`)
    })
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
