import type { ProposedManifest } from '@muster/installers'
import { type WingetReason, wingetReasons } from '@muster/installers/winget'
import { closed, enumOf, nullable, sha256, Type, text } from '../../../platform/schema.ts'
import { ProposedManifestLine, ProposedRequirement } from '../../package-uploads/api/proposal-schemas.ts'

const identifier = text(128, '7zip.7zip', 'PackageIdentifier of winget')
const version = text(128, '24.08', 'PackageVersion of winget')
const architecture = enumOf(['x64', 'x86', 'arm64', 'arm', 'neutral'], {
  description: 'Architecture that the installer is for',
})
const locale = text(35, 'de-DE', 'Language of the installer')

/** What is wanted of the installers of a manifest. */
export const choiceProperties = {
  architecture: Type.Optional({ ...architecture, description: 'Only installers for this architecture' }),
  locale: Type.Optional({ ...locale, description: 'Preferred language of the installer; en-US by default' }),
}

export const WingetFiles = Type.Array(
  closed(
    {
      name: text(255, '7zip.7zip.installer.yaml', 'Name of the file, for messages'),
      content: text(262_144, 'PackageIdentifier: 7zip.7zip', 'Its text, in YAML'),
    },
    { title: 'WingetManifestFile' },
  ),
  {
    minItems: 1,
    maxItems: 200,
    description: 'The files of the manifest of one version: a singleton, or all files together',
  },
)

export const WingetPackage = closed(
  {
    architecture,
    installerType: text(50, 'nullsoft', 'InstallerType of winget'),
    scope: nullable(enumOf(['machine'], { title: 'WingetScope', description: 'For whom it installs, if stated' })),
    locale: nullable(locale),
    url: text(2_048, 'https://www.7-zip.org/a/7z2408-x64.exe', 'Where the vendor has the file'),
    sha256: sha256('Hash that the file must have'),
    downloadFault: nullable(
      text(
        1_000,
        'www.7-zip.org is listed in neither setting.',
        'Why the service does not download it; null if it can',
      ),
    ),
    fileName: text(255, '7z2408-x64.exe', 'The name that the file must have in the package'),
    manifest: Type.Unsafe<ProposedManifest['manifest']>({
      type: 'object',
      additionalProperties: true,
      examples: [
        {
          name: '7zip.7zip',
          version: '24.08',
          kind: 'software',
          operatingSystems: ['Windows'],
          commands: { install: { argv: ['7z2408-x64.exe', '/S'] } },
        },
      ],
      description: 'The manifest of the package',
    }),
    lines: Type.Array(ProposedManifestLine, { description: 'The lines of the manifest, and where they come from' }),
    requirements: Type.Array(ProposedRequirement, { description: 'What the software needs of a computer' }),
    warnings: Type.Array(text(10_000, 'An earlier version has to be uninstalled first.', 'What to know before')),
  },
  { title: 'WingetPackage' },
)

const reasonNames = Object.keys(wingetReasons) as WingetReason[]

const WingetRest = closed(
  {
    architecture: text(50, 'x64', 'Architecture, as the manifest has it'),
    installerType: text(50, 'msix', 'InstallerType of winget'),
    locale: nullable(locale),
    reason: enumOf(reasonNames, { title: 'WingetReason', description: 'Why it does not become a package by itself' }),
    text: text(200, wingetReasons.userScope, 'The reason as a sentence'),
  },
  { title: 'WingetRest' },
)

export const WingetConversion = closed(
  {
    identifier,
    version,
    packages: Type.Array(WingetPackage, {
      description: 'One for each architecture, the most common first. The first has the identifier as its name.',
    }),
    rest: Type.Array(WingetRest, { description: 'Better installers that need a person' }),
  },
  { title: 'WingetConversion' },
)

export const WingetConversionRequest = closed(
  { files: WingetFiles, ...choiceProperties },
  { title: 'WingetConversionRequest' },
)

export const MirroredWingetPackage = closed(
  {
    ...WingetConversion.properties,
    versions: Type.Array(version, { description: 'All versions that the mirror has, the latest first' }),
  },
  { title: 'MirroredWingetPackage' },
)

export const WingetSearchResult = closed(
  {
    hasMirror: Type.Boolean({ examples: [true], description: 'Whether the package store has a mirror of manifests' }),
    isComplete: Type.Boolean({ examples: [true], description: 'False if there are more packages than are listed' }),
    items: Type.Array(
      closed(
        {
          identifier,
          latestVersion: version,
          versionCount: Type.Integer({ minimum: 1, examples: [24], description: 'Number of versions in the mirror' }),
        },
        { title: 'WingetSearchItem' },
      ),
    ),
  },
  { title: 'WingetSearchResult' },
)

export const IdentifierPath = closed({ identifier })
