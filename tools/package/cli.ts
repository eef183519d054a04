import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import description from '../../cli/package.json' with { type: 'json' }
import { buildCommand } from '../../cli/tools/build.ts'
import { readBundledPackages } from '../bundled-packages.ts'
import { buildExecutable } from './agent-executable.ts'
import { type Architecture, architectures } from './agent-node.ts'
import { nodeComponent, npmComponents } from './components.ts'
import type { BuildPackages } from './product.ts'
import { writeSbom } from './sbom.ts'

/** Builds `muster`, the command line, as one file for each architecture that needs nothing else. */
export const packageCommandLine: BuildPackages = async (folder) => {
  const bundle = await buildCommand(join(folder, 'muster.cjs'))
  const bundled = npmComponents(await readBundledPackages('cli'))
  const product = { name: 'muster', version: description.version }
  const built: string[] = []
  for (const architecture of Object.keys(architectures) as Architecture[]) {
    const executable = join(folder, `muster-linux-${architecture}`)
    await buildExecutable(bundle, architecture, executable, [])
    built.push(executable, await writeSbom(executable, product, [...bundled, nodeComponent(architecture)]))
  }
  await rm(bundle)
  return built
}
