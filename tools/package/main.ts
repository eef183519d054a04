import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packageAgent } from './agent.ts'
import { writeChecksums } from './checksums.ts'
import { packageCommandLine } from './cli.ts'
import { packageClient } from './client.ts'
import { packageContainer } from './container.ts'
import { pinContainerBases } from './container-bases.ts'
import { packageInstallation } from './installation.ts'
import type { BuildPackages } from './product.ts'
import { packageService } from './service.ts'
import { packageWindowsAgent, windowsAgentObstacle } from './windows-agent.ts'

// Packages contain the modes of files and folders, which must not depend on who builds them.
process.umask(0o022)

/** What `npm run package` builds if it has no arguments. */
const packages: Record<string, BuildPackages> = {
  service: packageService,
  agent: packageAgent,
  'agent-windows': packageWindowsAgent,
  cli: packageCommandLine,
  client: packageClient,
}

/** What else it builds if its arguments name it. The image needs Podman or Docker, and is made of the installation. */
const products: Record<string, BuildPackages> = {
  ...packages,
  container: packageContainer,
  'container-bases': pinContainerBases,
  installation: packageInstallation,
}

/** What nobody downloads, and needs no hash. */
const isIntermediate = new Set(['installation', 'container-bases'])

const isChosen = process.argv.length > 2
const names = isChosen ? process.argv.slice(2) : Object.keys(packages)
const unknown = names.filter((name) => !Object.hasOwn(products, name))
if (unknown.length > 0) {
  console.error(`Unknown product: ${unknown.join(', ')}. The products are ${Object.keys(products).join(', ')}.`)
  process.exit(2)
}
for (const name of names) {
  const obstacle = name === 'agent-windows' ? await windowsAgentObstacle() : undefined
  if (obstacle) {
    console.error(`${name} is not built: ${obstacle}.`)
    if (isChosen) process.exitCode = 1
    continue
  }
  const folder = join(import.meta.dirname, '../../artifacts/packages', name)
  await mkdir(folder, { recursive: true })
  const built = (await products[name]?.(folder)) ?? []
  if (!isIntermediate.has(name)) built.push(await writeChecksums(folder, built))
  for (const file of built) console.log(file)
}
