import { ExpectedError } from '../expected-error.ts'
import type { Platform } from '../platform/platform.ts'

/** Fetches what the repositories offer, as the command of a scan package. The agent scans afterwards. */
export async function refreshPatches({ name, patches }: Platform): Promise<void> {
  if (!patches.refresh) throw new ExpectedError(`On ${name}, a scan asks for the newest patches itself.`)
  await patches.refresh()
}
