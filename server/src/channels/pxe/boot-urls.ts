import { withSlashes } from '@muster/package-format'

/** iPXE has no quoting, so every character with a special meaning in a script is percent-encoded. */
export const encodeWord = encodeURIComponent

/** The parts of an installation that have files. The path of a language pack begins with the id of its package. */
export type BootPart = 'boot' | 'os' | 'languages'

/** The address of a file of the boot image, the operating system or a language pack. */
export function fileUrl({ server, token }: { server: string; token: string }, part: BootPart, path: string): string {
  return `${server}/boot/files/${token}/${part}/${withSlashes(path).split('/').map(encodeWord).join('/')}`
}
