import { execFile } from 'node:child_process'
import { readdir, readFile, realpath, statfs } from 'node:fs/promises'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { join } from 'node:path'

/** What collectors read the computer through. Whatever is missing or forbidden is undefined or empty, never an error. */
export type SystemAccess = {
  /** The content of a file, without blanks around it. */
  text(path: string): Promise<string | undefined>
  bytes(path: string): Promise<Buffer | undefined>
  /** The names in a folder, sorted. */
  names(path: string): Promise<string[]>
  /** Where a path leads to when all links are followed. */
  target(path: string): Promise<string | undefined>
  space(path: string): Promise<{ totalBytes: number; freeBytes: number } | undefined>
  /** What a tool writes, however it ends; undefined where there is no such tool. */
  output(tool: string, ...args: string[]): Promise<string | undefined>
  addresses(): NodeJS.Dict<NetworkInterfaceInfo[]>
}

const toolLimits = { timeout: 20_000, maxBuffer: 32 * 1024 * 1024 }

/** The computer itself, or a folder that stands for its root. */
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
      // A number is how the tool ended; everything else kept it from running to its end.
      resolve(error && typeof error.code !== 'number' ? undefined : stdout)
    })
  })
}
