import { existsSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, resolve } from 'node:path'

// The service runs from its sources in server/src, or from the bundle that `npm run build` makes of them in server/dist.
// Both folders belong to the same package, so the other files of the installation are found from its manifest.
const serverFolder = dirname(findPackageJSON(import.meta.url) ?? '')
const isBundle = import.meta.filename.endsWith('.js')

export const migrationsFolder = join(serverFolder, 'migrations')
export const builtConsoleFolder = join(serverFolder, '../console/dist')

export type InstallationKind = 'Clone' | 'Package' | 'Container'

export type ServiceInstallation = { kind: InstallationKind; folder: string }

/** Finds out by its files what kind of installation this is: only a clone has the sources of the agent. */
function describeInstallation(folder: string): ServiceInstallation {
  if (existsSync(join(folder, 'agent/src/main.ts'))) return { kind: 'Clone', folder }
  return { kind: existsSync(join(folder, 'bin/health-check.ts')) ? 'Container' : 'Package', folder }
}

export const thisInstallation = describeInstallation(resolve(serverFolder, '..'))

/** What starts as a process or thread of its own, by its path in the sources. Each is an entry point of the bundle. */
export const programs = [
  'main',
  'worker',
  'channels/fusion/messages/read-report',
  'depot-server/main',
  'features/packages/installers/installer-thread',
  'features/winget/conversion-thread',
  'features/reports/documents/document-thread',
  'cli/admin',
  'cli/backup',
  'cli/catalog',
  'cli/keys',
  'cli/restore',
  'cli/sign',
  'cli/verify-audit',
] as const

export type Program = (typeof programs)[number]

/** Finds a program in the bundle if this one runs from the bundle, otherwise in the sources. */
export function programFile(program: Program): string {
  return isBundle ? join(serverFolder, 'dist', `${program}.js`) : join(serverFolder, 'src', `${program}.ts`)
}

/** Finds a font for documents: beside the bundle, or in the package that has it. */
export function fontFile(name: string): string {
  return isBundle
    ? join(serverFolder, 'dist/fonts', name)
    : join(dirname(findPackageJSON('dejavu-fonts-ttf', import.meta.url) ?? ''), 'ttf', name)
}
