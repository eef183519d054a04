import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { run } from './run.ts'

const root = join(import.meta.dirname, '../..')
const version = '24.21.0'

/** The names of an architecture in Node and in Debian, and the SHA-256 of the Node program that is built into the agent. */
export const architectures = {
  x64: { debian: 'amd64', sha256: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c' },
  arm64: { debian: 'arm64', sha256: '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584' },
} as const

export type Architecture = keyof typeof architectures

/**
 * The Node program for an architecture, from the same packages of npm as the pinned Node of this project. Whatever the
 * registry answers, it must be the one that is known here.
 */
export async function nodeProgram(architecture: Architecture): Promise<Buffer> {
  const pinned = join(root, 'node_modules/node/bin/node')
  const cached = join(root, 'node_modules/.cache/node-programs', version, architecture, 'bin/node')
  const program =
    architecture === process.arch
      ? await readFile(pinned)
      : await readFile(cached).catch(() => download(architecture, cached))
  const sha256 = createHash('sha256').update(program).digest('hex')
  if (sha256 === architectures[architecture].sha256) return program
  await rm(cached, { force: true })
  throw new Error(`The Node ${version} for ${architecture} has the SHA-256 ${sha256}, which is not the known one.`)
}

async function download(architecture: Architecture, target: string): Promise<Buffer> {
  const folder = dirname(dirname(target))
  await mkdir(folder, { recursive: true })
  const name = `node-linux-${architecture}`
  console.log(`Downloading ${name} ${version}`)
  await run('npm', ['pack', `${name}@${version}`, '--silent'], { cwd: folder })
  const archive = `${name}-${version}.tgz`
  await run('tar', ['-xzf', archive, '--strip-components=1', 'package/bin/node'], { cwd: folder })
  await rm(join(folder, archive))
  return readFile(target)
}
