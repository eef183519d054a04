import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCommand } from '../../cli/tools/build.ts'
import { buildExecutable } from './agent-executable.ts'
import { type Architecture, architectures } from './agent-node.ts'
import type { BuildPackages } from './product.ts'

/** Builds `muster`, the command line, as one file for each architecture that needs nothing else. */
export const packageCommandLine: BuildPackages = async (folder) => {
  const bundle = await buildCommand(join(folder, 'muster.cjs'))
  const executables: string[] = []
  for (const architecture of Object.keys(architectures) as Architecture[]) {
    const executable = join(folder, `muster-linux-${architecture}`)
    await buildExecutable(bundle, architecture, executable, [])
    executables.push(executable)
  }
  await rm(bundle)
  return executables
}
