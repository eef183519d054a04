import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

// The service runs from its sources in server/src, or from the bundle that `npm run build` makes of them in server/dist.
// Both folders belong to the same package, so the other files of the installation are found from its manifest.
const serverFolder = dirname(findPackageJSON(import.meta.url) ?? '')
const isBundle = import.meta.filename.endsWith('.js')

export const migrationsFolder = join(serverFolder, 'migrations')
export const builtConsoleFolder = join(serverFolder, '../console/dist')

/** What starts as a process or thread of its own, by its path in the sources. Each is an entry point of the bundle. */
export const programs = [
  'main',
  'worker',
  'channels/fusion/messages/read-report',
  'depot-server/main',
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
