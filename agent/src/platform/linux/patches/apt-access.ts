import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { codeOf } from '../../../expected-error.ts'

/** How a scan reads apt. `APT_CONFIG` in the environment redirects it to another installation. */
export type AptAccess = {
  /** The output of a tool; undefined if the tool does not exist. Throws if it fails. */
  output(tool: string, ...args: string[]): Promise<string | undefined>
  /** The names in a folder; none if it cannot be read. */
  names(folder: string): Promise<string[]>
  changedAt(path: string): Promise<Date | undefined>
}

const toolLimits = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 }

export const apt: AptAccess = {
  output: (tool, ...args) =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, LC_ALL: 'C' }
      execFile(tool, args, { ...toolLimits, env }, (error, stdout, stderr) => {
        if (!error) resolve(stdout)
        else if (codeOf(error) === 'ENOENT') resolve(undefined)
        else reject(new Error(`${tool} has failed: ${stderr.trim().slice(0, 1_000) || error.message.slice(0, 1_000)}`))
      })
    }),
  names: (folder) => readdir(folder).catch(() => []),
  changedAt: (path) =>
    stat(path).then(
      ({ mtime }) => mtime,
      () => undefined,
    ),
}
