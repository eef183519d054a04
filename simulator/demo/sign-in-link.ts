import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { environmentWithoutSettings, serverProgram } from './service.ts'

/** Asks the command for operators for a link that signs in once. Undefined if there is none. */
export async function findSignInLink(address: string, folder: string, clientId: string): Promise<string | undefined> {
  const command = [serverProgram('cli/admin'), 'link', '--client-id', clientId]
  const env = { ...environmentWithoutSettings(), MUSTER_DATA_DIR: folder, MUSTER_PORT: new URL(address).port }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, command, { env })
    return /^http\S+$/m.exec(stdout)?.[0]
  } catch {
    // The client ID and secret also sign in.
    return undefined
  }
}
