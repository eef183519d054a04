import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleAgent } from '../../tools/package/agent-bundle.ts'

const cache = join(import.meta.dirname, '../../node_modules/.cache')

/** The agent that tests start. It takes half of the processor time of starting the sources, and tests start it often. */
export const agentProgram = join(cache, 'muster-agent.cjs')

/** Bundles the agent as its packages contain it, from the sources as they are. */
export async function setup(): Promise<void> {
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(join(cache, 'muster-agent-'))
  // Another run may be starting the previous bundle.
  await rename(await bundleAgent(unfinished, 'linux'), agentProgram)
  await rm(unfinished, { recursive: true })
}
