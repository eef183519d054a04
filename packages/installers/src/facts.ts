/** Who has signed a file, as its signature states it. Nothing here is verified: that is up to the computer that runs it. */
export type Signer = { name: string; organisation?: string; issuer?: string; validUntil?: string }

export type MsiFacts = {
  format: 'msi'
  productName?: string
  productVersion?: string
  manufacturer?: string
  productCode?: string
  upgradeCode?: string
  /** Language identifier of Windows, such as 1033. */
  language?: number
  architecture?: string
  /** For whom it installs: for all users, for one, or as its caller chooses. */
  scope: 'machine' | 'user' | 'choice'
  /** Public properties with their defaults. */
  properties: Record<string, string>
  /** What it requires of a computer, as the messages for people. */
  conditions: string[]
  signer?: Signer
}

export const exeFamilies = [
  'inno',
  'nsis',
  'burn',
  'installshield',
  'squirrel',
  'msiWrapper',
  'sevenZipSfx',
  'winrarSfx',
  'zipSfx',
  'unknown',
] as const

export type ExeFamily = (typeof exeFamilies)[number]

export type ExeFacts = {
  format: 'exe'
  family: ExeFamily
  /** How the family was recognised. */
  familyReason?: string
  /** Version of the tool that made the installer. */
  familyVersion?: string
  /** Of the program itself, which may install software for another one. */
  architecture?: string
  /** Texts of the version resource, such as ProductName. */
  versionTexts: Record<string, string>
  fileVersion?: string
  productVersion?: string
  signer?: Signer
  /** It asks for the rights of an administrator. */
  needsAdministrator?: boolean
  isUninstaller?: boolean
  isLibrary?: boolean
  inno?: InnoFacts
  /** Identifier of a bundle of WiX, under which Windows lists it. */
  bundleId?: string
  squirrel?: { id: string; version: string }
  /** What a self-extracting archive runs. */
  runs?: string
}

export type InnoFacts = {
  name?: string
  appId?: string
  /** What Windows shows. Installers without it have a version in their full name only. */
  version?: string
  /** Such as `Example version 1.5`. */
  versionedName?: string
  publisher?: string
  defaultFolder?: string
  /** Expressions such as `x64compatible`. */
  architectures?: string
  architecturesIn64BitMode?: string
}

export type MsixFacts = {
  format: 'msix'
  isBundle: boolean
  identity: { name: string; publisher: string; version: string; architecture: string }
  familyName: string
  fullName: string
  displayName?: string
  publisherName?: string
  description?: string
  minWindowsVersion?: string
  dependencies: string[]
}

/** A program that a package brings and runs by itself, with its beginning. */
export type InstallerScript = { name: string; text: string; isComplete: boolean }

export type DebFacts = {
  format: 'deb'
  name: string
  version: string
  architecture: string
  maintainer?: string
  description?: string
  dependencies: string[]
  /** Programs that run during installation and removal, such as postinst. */
  scripts: InstallerScript[]
}

export type RpmFacts = {
  format: 'rpm'
  name: string
  version: string
  release: string
  epoch?: number
  architecture: string
  vendor?: string
  summary?: string
  description?: string
  dependencies: string[]
  scripts: InstallerScript[]
  isSource: boolean
}

export type ArchiveFacts = {
  format: 'zip' | 'tar'
  compression?: string
  entryCount: number
  /** False if the archive has more entries, or unpacks to more, than was looked at. */
  isComplete: boolean
  /** Names at the top level. */
  topLevel: string[]
  /** Files in it that look like installers. */
  installers: string[]
}

export type ScriptFacts = {
  format: 'script'
  interpreter: string
  /** A program that makes self-extracting scripts. */
  generator?: 'makeself'
  label?: string
  /** The file itself. */
  scripts: InstallerScript[]
}

export type AppImageFacts = {
  format: 'appimage'
  type: 1 | 2
  architecture?: string
  name?: string
  version?: string
  comment?: string
}

export type FormatFacts =
  | MsiFacts
  | ExeFacts
  | MsixFacts
  | DebFacts
  | RpmFacts
  | ArchiveFacts
  | ScriptFacts
  | AppImageFacts

/** What a file says about itself. All texts are untrusted, but each is one line of a limited length. */
export type InstallerFacts = FormatFacts & { fileName: string; fileBytes: number }
