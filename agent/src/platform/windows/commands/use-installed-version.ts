import { rm } from 'node:fs/promises'
import { pointerTo } from '../launcher.ts'
import { withEvent } from './configure.ts'

/** The version that was installed last is used, even if the agent has updated itself before. The installer calls this. */
export async function useInstalledVersion(): Promise<void> {
  await withEvent(async () => {
    for (const name of ['trial', 'current'] as const) await rm(pointerTo(name), { force: true })
  })
}
