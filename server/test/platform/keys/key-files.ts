import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../database/embedded-postgres/muster.ts'

/** Writes a new key file, which is removed after the test. */
export async function newKeyFile(content = randomBytes(32).toString('base64')): Promise<string> {
  const path = join(await temporaryFolder(), 'key')
  await writeFile(path, `${content}\n`, { mode: 0o600 })
  return path
}
