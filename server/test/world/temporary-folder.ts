import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder that other users can enter, which the embedded database needs when the tests run as root. */
export async function openTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-test-'))
  await chmod(folder, 0o711)
  return folder
}
