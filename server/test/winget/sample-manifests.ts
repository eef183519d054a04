const sha256 = 'a1b2c3d4'.repeat(8)

/** The files of a manifest, as the public repository has them. */
export function wingetFiles({
  identifier = 'Example.Viewer',
  version = '7.10',
  type = 'nullsoft',
  url = '',
  hash = sha256,
}) {
  const head = `PackageIdentifier: ${identifier}\nPackageVersion: "${version}"\n`
  const address = url || 'https://downloads.example.org/viewer.exe'
  return {
    [`${identifier}.yaml`]: `${head}DefaultLocale: en-US\nManifestType: version\n`,
    [`${identifier}.locale.en-US.yaml`]: `${head}Publisher: Example\nPackageName: Viewer\nManifestType: defaultLocale\n`,
    [`${identifier}.installer.yaml`]: `${head}ManifestType: installer
InstallerType: ${type}
Installers:
- Architecture: x64
  Scope: machine
  InstallerUrl: ${address}
  InstallerSha256: ${hash.toUpperCase()}
  ProductCode: Viewer
`,
  }
}

export const toFiles = (files: Record<string, string>) =>
  Object.entries(files).map(([name, content]) => ({ name, content }))
