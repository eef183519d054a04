import { readdir, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sha256Of } from './sbom.ts'

/** Writes the hashes of the files, and of those in folders, as `sha256sum --check` reads them. Returns the path. */
export async function writeChecksums(folder: string, built: readonly string[]): Promise<string> {
  const files = (await Promise.all(built.map(listFiles))).flat().sort()
  const lines: string[] = []
  for (const file of files) lines.push(`${await sha256Of(file)}  ${relative(folder, file)}\n`)
  const target = join(folder, 'SHA256SUMS')
  await writeFile(target, lines.join(''))
  return target
}

async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
