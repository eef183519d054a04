import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environmentWithoutSettings } from './service.ts'

/** What the past of the fleet is made up from. */
export type Past = {
  /** Computers whose last contact was long ago. */
  silentComputers: readonly number[]
  /** The package whose deployments have been pending for days. */
  withheldPackage: string
}

/** Moves events of the fleet into the past, which neither the API nor the agent channel can do. */
export type WritePast = (past: Past) => Promise<void>

const program = join(import.meta.dirname, '../../server/tools/write-demo-past.ts')

/** Lets the server write into the embedded database of the running service. */
export function writePastIn(dataDirectory: string): WritePast {
  return async (past) => {
    const env = { ...environmentWithoutSettings(), MUSTER_DATA_DIR: dataDirectory }
    const written = promisify(execFile)(process.execPath, [program], { env })
    written.child.stdin?.end(JSON.stringify(past))
    await written
  }
}
