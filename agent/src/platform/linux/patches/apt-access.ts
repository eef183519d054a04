import { readdir, stat } from 'node:fs/promises'
import { codeOf } from '../../../expected-error.ts'
import { requireRead } from '../repositories/tools.ts'

/** How a scan reads apt. `APT_CONFIG` in the environment redirects it to another installation. */
export type AptAccess = {
  /** The output of a tool; undefined if the tool does not exist. Throws if it fails. */
  output(tool: string, ...args: string[]): Promise<string | undefined>
  /** The names in a folder; none if it cannot be read. */
  names(folder: string): Promise<string[]>
  changedAt(path: string): Promise<Date | undefined>
}

export const apt: AptAccess = {
  output: (tool, ...args) =>
    requireRead(tool, args).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }),
  names: (folder) => readdir(folder).catch(() => []),
  changedAt: (path) =>
    stat(path).then(
      ({ mtime }) => mtime,
      () => undefined,
    ),
}
