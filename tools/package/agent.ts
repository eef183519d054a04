import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import description from '../../agent/package.json' with { type: 'json' }
import { readBundledPackages } from '../bundled-packages.ts'
import { buildArchive } from './agent-archive.ts'
import { bundleAgent } from './agent-bundle.ts'
import { buildDeb } from './agent-deb.ts'
import { buildExecutable } from './agent-executable.ts'
import { type Architecture, architectures } from './agent-node.ts'
import { buildStorePackage } from './agent-store.ts'
import { nodeComponent, npmComponents } from './components.ts'
import type { BuildPackages } from './product.ts'
import { sourceDate } from './run.ts'
import { writeSbom } from './sbom.ts'

/** Builds the agent as one file for each architecture, and what installs it: Debian packages, archives, a package of Muster. */
export const packageAgent: BuildPackages = async (folder) => {
  const version = process.env.MUSTER_PACKAGE_VERSION ?? description.version
  const builtAt = await sourceDate()
  const bundle = await bundleAgent(folder, 'linux', version)
  const bundled = npmComponents(await readBundledPackages('agent-linux'))
  const [archives, packages]: [string[], string[]] = [[], []]
  for (const architecture of Object.keys(architectures) as Architecture[]) {
    const executable = join(folder, `muster-agent-linux-${architecture}`)
    await buildExecutable(bundle, architecture, executable)
    const { debian } = architectures[architecture]
    const deb = join(folder, `muster-agent_${version}_${debian}.deb`)
    await buildDeb(deb, { executable, version, architecture: debian, builtAt })
    const archive = `${executable}.tar.gz`
    await buildArchive(archive, executable, builtAt)
    archives.push(archive)
    // Package and archive contain this program and files of their own.
    const sbom = await writeSbom(executable, { name: 'muster-agent', version }, [
      ...bundled,
      nodeComponent(architecture),
    ])
    packages.push(executable, deb, archive, sbom)
  }
  await rm(bundle)
  const storePackage = join(folder, `muster-agent-${version}`)
  await buildStorePackage(storePackage, version, archives)
  return [...packages, storePackage]
}
