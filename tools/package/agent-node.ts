import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import programs from '../node-programs.json' with { type: 'json' }
import { run } from './run.ts'

const root = join(import.meta.dirname, '../..')
export const nodeVersion = programs.version

/** The names of an architecture in Node and in Debian, and the SHA-256 of the Node program that packages contain. */
export const architectures = {
  x64: { debian: 'amd64', sha256: programs.sha256['linux-x64'] },
  arm64: { debian: 'arm64', sha256: programs.sha256['linux-arm64'] },
} as const

export type Architecture = keyof typeof architectures

/**
 * The Node program for an architecture, from the same packages of npm as the pinned Node of this project. Whatever the
 * registry answers, it must be the one that is known here.
 */
export async function nodeProgram(architecture: Architecture): Promise<Buffer> {
  const pinned = join(root, 'node_modules/node/bin/node')
  const cached = join(root, 'node_modules/.cache/node-programs', nodeVersion, architecture, 'bin/node')
  const program =
    architecture === process.arch
      ? await readFile(pinned)
      : await readFile(cached).catch(() => download(architecture, cached))
  const sha256 = createHash('sha256').update(program).digest('hex')
  if (sha256 === architectures[architecture].sha256) return program
  await rm(cached, { force: true })
  throw new Error(`The Node ${nodeVersion} for ${architecture} has the SHA-256 ${sha256}, which is not the known one.`)
}

async function download(architecture: Architecture, target: string): Promise<Buffer> {
  const folder = dirname(dirname(target))
  await mkdir(folder, { recursive: true })
  const name = `node-linux-${architecture}`
  console.log(`Downloading ${name} ${nodeVersion}`)
  await run('npm', ['pack', `${name}@${nodeVersion}`, '--silent'], { cwd: folder })
  const archive = `${name}-${nodeVersion}.tgz`
  await run('tar', ['-xzf', archive, '--strip-components=1', 'package/bin/node'], { cwd: folder })
  await rm(join(folder, archive))
  return readFile(target)
}
