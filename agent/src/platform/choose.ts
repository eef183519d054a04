import { ExpectedError } from '../expected-error.ts'
import type { Platform } from './platform.ts'

/** The platform of this computer. Only its code is loaded, because that of another may need what this system does not have. */
export async function choosePlatform(): Promise<Platform> {
  if (process.platform === 'linux') return (await import('./linux/index.ts')).linux
  if (process.platform === 'win32') return (await import('./windows/index.ts')).windows
  throw new ExpectedError(`The agent does not run on ${process.platform}.`)
}
