import { withSlashes } from '@muster/package-format'

/** iPXE has no quoting, so every character with a special meaning in a script is percent-encoded. */
export const encodeWord = encodeURIComponent

/** The parts of an installation that have files. Paths of language packs and of packages begin with the id of the package. */
export type BootPart = 'boot' | 'os' | 'languages' | 'packages'

/** The address of a file of the boot image, the operating system, a language pack or a package that runs before the system. */
export function fileUrl({ server, token }: { server: string; token: string }, part: BootPart, path: string): string {
  return `${server}/boot/files/${token}/${part}/${withSlashes(path).split('/').map(encodeWord).join('/')}`
}
