import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildArchive } from '../package/agent-archive.ts'
import { bundleAgent } from '../package/agent-bundle.ts'
import { buildExecutable } from '../package/agent-executable.ts'
import type { Architecture } from '../package/agent-node.ts'
import { buildStorePackage } from '../package/agent-store.ts'
import { sourceDate } from '../package/run.ts'

/**
 * Builds the package of a version of the agent into the store, with a real program for the architecture of this machine.
 * `atStart` is code that the program runs before it is the agent.
 */
export async function buildAgentVersion(store: string, work: string, version: string, atStart = ''): Promise<string> {
  const bundle = await bundleAgent(work, 'linux', version)
  await writeFile(bundle, `${atStart}\n${await readFile(bundle, 'utf8')}`)
  const architecture = process.arch as Architecture
  const executable = join(work, `muster-agent-linux-${architecture}`)
  await buildExecutable(bundle, architecture, executable)
  const archive = `${executable}.tar.gz`
  await buildArchive(archive, executable, await sourceDate())
  const name = `muster-agent-${version}`
  await buildStorePackage(join(store, name), version, [archive])
  return name
}
