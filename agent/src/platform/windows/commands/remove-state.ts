import { rm } from 'node:fs/promises'
import { dataFolder } from '../paths.ts'

/** Removes everything that the agent has stored. The installer calls this when the agent is uninstalled. */
export async function removeState(): Promise<void> {
  await rm(dataFolder(), { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
}
