import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder that other users can enter, which the embedded database needs when the tests run as root. */
export async function openTemporaryFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'muster-test-'))
  await chmod(folder, 0o711)
  return folder
}

const memory = '/dev/shm'
const minFreeBytes = 8 * 2 ** 30

/** A folder in memory if there is plenty, otherwise on the disk. For many small files, it takes a third of the processor time. */
export async function openFolderInMemory(): Promise<string> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return openTemporaryFolder(bavail * bsize > minFreeBytes ? memory : tmpdir())
}
