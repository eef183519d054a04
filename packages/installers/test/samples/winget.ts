import { convertWinget, readWingetManifest, type WingetFile, type WingetPackage } from '../../src/winget/index.ts'

export const sha256 = 'a1b2c3d4'.repeat(8)
const head = 'PackageIdentifier: Example.Viewer\nPackageVersion: 7.10\n'

/** A manifest of three files, with these lines for its installers. */
export function manifestOf(installer: string, root = ''): WingetFile[] {
  const entry = `- Architecture: x64\n  Scope: machine\n  InstallerUrl: https://example.org/files/viewer%207.10\n`
  return [
    { name: 'Example.Viewer.yaml', content: `${head}DefaultLocale: en-US\nManifestType: version\n` },
    {
      name: 'Example.Viewer.installer.yaml',
      content: `${head}ManifestType: installer\n${root}Installers:\n${entry}  InstallerSha256: ${sha256.toUpperCase()}\n${indented(installer)}`,
    },
    {
      name: 'Example.Viewer.locale.en-US.yaml',
      content: `${head}ManifestType: defaultLocale\nPublisher: Example GmbH\nPackageName: Viewer\nShortDescription: Shows files\n`,
    },
  ]
}

export const indented = (lines: string) =>
  lines
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('')

/** The package of such a manifest. Throws if it needs a person. */
export function packageOf(installer: string, root = ''): WingetPackage {
  const { packages, rest } = convertWinget(readWingetManifest(manifestOf(installer, root)))
  if (!packages[0]) throw new Error(rest.map(({ reason }) => reason).join())
  return packages[0]
}

/** The reasons why such a manifest needs a person. */
export const reasonsOf = (installer: string, root = '') =>
  convertWinget(readWingetManifest(manifestOf(installer, root))).rest.map(({ reason }) => reason)
