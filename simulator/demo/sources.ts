import type { Api } from './api.ts'
import { importPackage, writeStoreFile } from './packages.ts'

const identifier = 'Example.Diagrams'

/** Manifests of winget as a mirror of their repository has them. The program and its vendor are made up. */
const wingetVersions = ['3.1.0', '3.2.0'].map((version) => ({
  version,
  manifest: [
    `PackageIdentifier: ${identifier}`,
    `PackageVersion: ${version}`,
    'PackageLocale: en-US',
    'Publisher: Example Ltd',
    'PackageName: Diagrams',
    'License: Freeware',
    'ShortDescription: Draws diagrams',
    'InstallerType: inno',
    'Scope: machine',
    'Installers:',
    ...['x64', 'x86'].flatMap((architecture, at) => [
      `- Architecture: ${architecture}`,
      `  InstallerUrl: https://downloads.example.org/diagrams-${version}-${architecture}.exe`,
      `  InstallerSha256: ${(at === 0 ? '3A' : '7C').repeat(32)}`,
    ]),
    'ManifestType: singleton',
    'ManifestVersion: 1.6.0',
    '',
  ].join('\n'),
}))

/** The package manager of each computer installs it: it has neither files nor commands. */
const repositoryPackage = {
  name: 'htop',
  version: '3.2 or later',
  displayName: 'Process Viewer',
  description: 'From the repositories of Debian',
  category: 'Tools',
  operatingSystems: ['Debian', 'Ubuntu'],
  kind: 'software',
  source: { package: 'deb:htop', minVersion: '3.2' },
}

/** A mirror of winget manifests in the store, and a package that comes from the repositories of the computers. */
export async function addSources(api: Api, store: string): Promise<void> {
  const mirror = `winget/manifests/e/${identifier.replace('.', '/')}`
  for (const { version, manifest } of wingetVersions)
    await writeStoreFile(store, `${mirror}/${version}/${identifier}.yaml`, manifest)
  const folder = 'demo/process-viewer'
  await writeStoreFile(store, `${folder}/muster-package.json`, JSON.stringify(repositoryPackage, null, 2))
  const id = await importPackage(api, folder)
  await api.put(`/api/packages/${id}/ready-to-install`, { operational: true })
}
