import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isOutdated } from '../../tools/is-outdated.ts'
import { bundleAgent } from '../../tools/package/agent-bundle.ts'

const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache')
const sources = ['agent/src', 'agent/package.json', 'packages', 'tools/package/agent-bundle.ts', 'package-lock.json']

/** The agent that tests start. It takes half of the processor time of starting the sources, and tests start it often. */
export const agentProgram = join(cache, 'muster-agent.cjs')

/** Bundles the agent as its packages contain it, if its sources have changed. */
export async function setup(): Promise<void> {
  const isCurrent = !(await isOutdated(
    agentProgram,
    sources.map((source) => join(root, source)),
  ))
  if (isCurrent) return
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(join(cache, 'muster-agent-'))
  // Another run may be starting the previous bundle.
  await rename(await bundleAgent(unfinished, 'linux'), agentProgram)
  await rm(unfinished, { recursive: true })
}
