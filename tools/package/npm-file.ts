import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { run } from './run.ts'

/** A file of a package of npm. Whatever the registry answers, it must have the SHA-256 that is known here. */
export type NpmFile = { name: string; version: string; path: string; sha256: string }

const cache = join(import.meta.dirname, '../../node_modules/.cache/npm-files')

/** The path of a copy of the file, which is downloaded once. */
export async function npmFile(file: NpmFile): Promise<string> {
  const target = join(cache, file.sha256, basename(file.path))
  const isKnown = async (path: string) =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex') === file.sha256
  if (await isKnown(target).catch(() => false)) return target
  const folder = `${join(cache, file.sha256)}.${process.pid}`
  try {
    await mkdir(folder, { recursive: true })
    const extracted = await download(file, folder)
    if (!(await isKnown(extracted)))
      throw new Error(`${file.path} of ${file.name} ${file.version} does not have the known SHA-256.`)
    await mkdir(dirname(target), { recursive: true })
    await rename(extracted, target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return target
}

async function download({ name, version, path }: NpmFile, folder: string): Promise<string> {
  console.log(`Downloading ${name} ${version}`)
  const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--silent'], { cwd: folder })
  await run('tar', ['-xzf', stdout.trim(), `package/${path}`], { cwd: folder })
  return join(folder, 'package', path)
}
