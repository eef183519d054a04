import { execFile } from 'node:child_process'
import { readdir, readFile, realpath, statfs } from 'node:fs/promises'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { join } from 'node:path'

/** How collectors read the computer. Missing or unreadable data is undefined or empty, never an error. */
export type SystemAccess = {
  /** The trimmed content of a file. */
  text(path: string): Promise<string | undefined>
  bytes(path: string): Promise<Buffer | undefined>
  /** The sorted names in a folder. */
  names(path: string): Promise<string[]>
  /** The path after all links are resolved. */
  target(path: string): Promise<string | undefined>
  space(path: string): Promise<{ totalBytes: number; freeBytes: number } | undefined>
  /** The output of a tool, whatever its exit code; undefined if the tool does not exist. */
  output(tool: string, ...args: string[]): Promise<string | undefined>
  addresses(): NodeJS.Dict<NetworkInterfaceInfo[]>
}

const toolLimits = { timeout: 20_000, maxBuffer: 32 * 1024 * 1024 }

/** Access to this computer, or to a folder that represents its root. */
export function accessTo(root = '/'): SystemAccess {
  const at = (path: string) => join(root, path)
  return {
    text: (path) => readFile(at(path), 'utf8').then((content) => content.trim(), nothing),
    bytes: (path) => readFile(at(path)).catch(nothing),
    names: async (path) => (await readdir(at(path)).catch(() => [])).sort(),
    target: async (path) => {
      const [top, real] = await Promise.all([realpath(root), realpath(at(path)).catch(nothing)])
      return real && join('/', real.slice(top === '/' ? 0 : top.length))
    },
    space: (path) =>
      statfs(at(path)).then(
        ({ bsize, blocks, bavail }) => ({ totalBytes: bsize * blocks, freeBytes: bsize * bavail }),
        nothing,
      ),
    output,
    addresses: networkInterfaces,
  }
}

function nothing(): undefined {
  return undefined
}

function output(tool: string, ...args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: 'C' }
    execFile(tool, args, { ...toolLimits, env }, (error, stdout) => {
      // A number is an exit code; anything else means that the tool did not run to its end.
      resolve(error && typeof error.code !== 'number' ? undefined : stdout)
    })
  })
}
