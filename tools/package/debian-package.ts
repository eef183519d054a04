import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { maintainer } from './maintainer.ts'
import { run, sourceDate } from './run.ts'

export type DebianPackage = {
  name: string
  version: string
  /** As Debian names it, such as amd64. */
  architecture: string
  /** What the package needs, as in the field `Depends`. */
  depends: readonly string[]
  summary: string
  /** The lines of the description. */
  description: readonly string[]
  /** Files below /etc that belong to the administrator: an upgrade does not overwrite changes in them. */
  configurationFiles: readonly string[]
  /** The folder with the maintainer scripts: postinst, prerm, postrm. */
  scripts: string
}

/** Builds the package of the files below `root`, which are those below / after the installation. Returns its path. */
export async function buildDebianPackage(root: string, described: DebianPackage, folder: string): Promise<string> {
  const control = join(root, 'DEBIAN')
  await mkdir(control)
  await writeFile(join(control, 'control'), formatControl(described, await installedKilobytes(root)))
  await writeFile(join(control, 'conffiles'), described.configurationFiles.map((file) => `${file}\n`).join(''))
  for (const script of ['postinst', 'prerm', 'postrm']) {
    await writeFile(join(control, script), await readFile(join(described.scripts, script)))
    await chmod(join(control, script), 0o755)
  }
  const file = join(folder, `${described.name}_${described.version}_${described.architecture}.deb`)
  const env = { ...process.env, SOURCE_DATE_EPOCH: String((await sourceDate()).getTime() / 1000) }
  await run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', root, file], { env })
  return file
}

function formatControl(described: DebianPackage, kilobytes: number): string {
  return `Package: ${described.name}
Version: ${described.version}
Architecture: ${described.architecture}
Maintainer: ${maintainer}
Section: admin
Priority: optional
Installed-Size: ${kilobytes}
Depends: ${described.depends.join(', ')}
Description: ${described.summary}
${described.description.map((line) => ` ${line}`).join('\n')}
`
}

async function installedKilobytes(root: string): Promise<number> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024)
}
