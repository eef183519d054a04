import { execFile } from 'node:child_process'
import { open, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { codeOf, ExpectedError, messageOf } from '../../expected-error.ts'
import type { Program } from '../self-update.ts'

const run = promisify(execFile)
const pathInArchive = 'usr/lib/muster-agent/muster-agent'

/** Pointers are links, which the launcher follows. */
export const program: Program = {
  archiveName: `muster-agent-linux-${process.arch}.tar.gz`,
  async extract(archive, folder) {
    await run('tar', ['-xzf', resolve(archive), '-C', folder, `./${pathInArchive}`]).catch((error: unknown) => {
      throw new ExpectedError(`${archive} is not an archive of the agent: ${messageOf(error)}`)
    })
    const path = join(folder, pathInArchive)
    const file = await open(path)
    await file.sync().finally(() => file.close())
    return path
  },
  async readPointer(path) {
    try {
      return basename(await readlink(path))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  },
  async writePointer(path, folder) {
    const fresh = `${path}.new`
    await rm(fresh, { force: true })
    await symlink(folder, fresh)
    await rename(fresh, path)
  },
  movePointer: rename,
}
