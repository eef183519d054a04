import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Architecture, architectures } from './agent-node.ts'
import { buildDebianPackage, type DebianPackage } from './debian-package.ts'
import type { BuildPackages } from './product.ts'
import { writeSbom } from './sbom.ts'
import { layOutDocumentation } from './service-documentation.ts'
import { buildService, layOutInstallation, listServiceComponents, readServiceVersion } from './service-installation.ts'

const files = join(import.meta.dirname, 'service')

const described: Omit<DebianPackage, 'version' | 'architecture'> = {
  name: 'muster',
  // Node and PostgreSQL are in the package. Node needs libstdc++, and PostgreSQL is started by setpriv (util-linux).
  depends: ['adduser', 'libc6 (>= 2.28)', 'libstdc++6', 'util-linux'],
  summary: 'endpoint management service',
  description: [
    'Muster manages a fleet of computers: software, patches, inventory and operating systems, over a REST API and in a',
    'web console. The package contains everything that the service needs, with its own Node.js and PostgreSQL.',
  ],
  configurationFiles: ['/etc/muster/muster.env'],
  scripts: files,
}

/** Builds the Debian packages of the service. */
export const packageService: BuildPackages = async (folder) => {
  await buildService()
  const built: string[] = []
  for (const architecture of Object.keys(architectures) as Architecture[]) {
    const file = await packageArchitecture(folder, architecture)
    const product = { name: described.name, version: await readServiceVersion() }
    built.push(file, await writeSbom(file, product, await listServiceComponents(architecture)))
  }
  return built
}

async function packageArchitecture(folder: string, architecture: Architecture): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'muster-package-'))
  try {
    await chmod(root, 0o755)
    await layOutInstallation(join(root, 'usr/lib/muster'), architecture)
    await copySystemFiles(root)
    const version = await readServiceVersion()
    const { debian } = architectures[architecture]
    return await buildDebianPackage(root, { ...described, version, architecture: debian }, folder)
  } finally {
    await rm(root, { recursive: true })
  }
}

async function copySystemFiles(root: string): Promise<void> {
  const copy = async (name: string, target: string, mode: number) => {
    await mkdir(dirname(join(root, target)), { recursive: true })
    await copyFile(join(files, name), join(root, target))
    await chmod(join(root, target), mode)
  }
  for (const unit of ['muster.service', 'muster-certificate.service', 'muster-certificate.timer'])
    await copy(unit, `usr/lib/systemd/system/${unit}`, 0o644)
  await copy('copy-certificate', 'usr/lib/muster/bin/copy-certificate', 0o755)
  await copy('muster-server', 'usr/bin/muster-server', 0o755)
  await copy('muster.env', 'etc/muster/muster.env', 0o640)
  await mkdir(join(root, 'etc/muster/credentials'), { mode: 0o700 })
  await layOutDocumentation(join(root, 'usr/share/doc/muster'))
  await copy('../../../LICENSE', 'usr/share/doc/muster/copyright', 0o644)
  await copy('../../../examples/ansible/muster_inventory.py', 'usr/share/muster/ansible/muster_inventory.py', 0o755)
  await copy('../../../examples/python/muster.py', 'usr/share/muster/ansible/muster.py', 0o644)
}
