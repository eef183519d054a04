import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Architecture, architectures } from './agent-node.ts'
import type { BuildPackages } from './product.ts'
import { buildService, layOutInstallation } from './service-installation.ts'

/** Lays out the service as it is installed on this architecture, for the container image. */
export const packageInstallation: BuildPackages = async (folder) => {
  await buildService()
  const installation = join(folder, 'muster')
  await rm(installation, { recursive: true, force: true })
  await mkdir(installation)
  await layOutInstallation(installation, requireArchitecture())
  return [installation]
}

function requireArchitecture(): Architecture {
  const { arch } = process
  if (Object.hasOwn(architectures, arch)) return arch as Architecture
  throw new Error(`The service is packaged for ${Object.keys(architectures).join(' and ')}, not for ${arch}.`)
}
