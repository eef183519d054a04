/**
 * What the groups of the model can assign: two versions of one package and one that requires it, one that runs before the
 * operating system, an operating system with two editions, two boot images, and two language packs. Some are not for all
 * computers.
 */
export type ModelPackage = {
  name: string
  version: string
  kind: 'Software' | 'PreOs' | 'OperatingSystem' | 'PxeBootImage' | 'LanguagePack'
  requires?: string
  /** The operating systems that it is for; any without one. */
  systems?: readonly string[]
  /** The architecture that it is for; any without one. */
  architecture?: Architecture
}

export type Architecture = 'x64' | 'arm64'

/** What agents carry out is in the order of names, in which an activation creates its work. */
export const packages: readonly ModelPackage[] = [
  { name: 'editor', version: '1', kind: 'Software' },
  { name: 'editor', version: '2', kind: 'Software', systems: ['Windows'] },
  { name: 'plugin', version: '1', kind: 'Software', requires: 'editor', systems: ['Linux', 'Windows 10'] },
  { name: 'layout', version: '1', kind: 'PreOs' },
  { name: 'system', version: '1', kind: 'OperatingSystem', architecture: 'x64' },
  { name: 'boot', version: '1', kind: 'PxeBootImage', architecture: 'x64' },
  { name: 'rescue', version: '1', kind: 'PxeBootImage' },
  { name: 'polish', version: '1', kind: 'LanguagePack', architecture: 'arm64' },
  { name: 'portuguese', version: '1', kind: 'LanguagePack', architecture: 'x64' },
]

const indexesOf = (...kinds: ModelPackage['kind'][]) =>
  [...packages.keys()].filter((one) => kinds.includes(kindOf(one)))

export const kindOf = (one: number) => packages[one]?.kind ?? 'Software'
export const nameOf = (one: number) => packages[one]?.name ?? ''
export const requiredBy = (one: number) => packages[one]?.requires ?? null

/** All versions of what a package requires. */
export const requirementsOf = (one: number) => [...packages.keys()].filter((other) => nameOf(other) === requiredBy(one))

/** Packages that run in the operating system. */
export const software = indexesOf('Software')
/** Packages that groups assign as such: the others are assigned as editions, boot images and language packs. */
export const assignablePackages = indexesOf('Software', 'PreOs')
export const languagePacks = indexesOf('LanguagePack')
export const bootImages = indexesOf('PxeBootImage')
export const [operatingSystem = 0] = indexesOf('OperatingSystem')
export const editions = ['Standard', 'Professional'] as const

/** What computers can run, by the name that packages use for it. */
export const systems = {
  Windows: { platform: 'Windows', osName: 'Windows 11', architecture: 'x64' },
  Linux: { platform: 'Linux', osName: 'Debian GNU/Linux', architecture: 'arm64' },
} as const

export type System = keyof typeof systems

/** What the distribution options say: what happens, how long an optional package is offered, and how often users may postpone. */
export type Options = { mode: string; offer: Offer; revokeCount: number }

/** For what an activation brings a package: PXE covers what runs before the operating system. */
export const bitOf = (one: number) => (['Software', 'LanguagePack'].includes(kindOf(one)) ? 'software' : 'pxe')

/** Until when an optional package is offered: always, until a date, or until a date that has passed. */
export type Offer = 'Always' | 'UntilDate' | 'Ended'

export const modes = [
  'Install',
  'Update',
  'Install, Update',
  'Uninstall',
  'Reinstall',
  'Install, Optional',
  'Install, Update, Optional',
] as const

/** Nobody is asked before an optional package is uninstalled. */
export const isOptional = (mode: string) => mode.includes('Optional') && !mode.includes('Uninstall')

/** The mode with this action instead of its own. */
export const withAction = (action: string, mode: string) => (mode.includes('Optional') ? `${action}, Optional` : action)
