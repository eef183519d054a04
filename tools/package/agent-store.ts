import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/**
 * The package of Muster with which agents are installed and updated: a folder for the package store, with the archives of
 * all architectures.
 */
export async function buildStorePackage(folder: string, version: string, archives: readonly string[]): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const archive of archives) await copyFile(archive, join(folder, basename(archive)))
  const update = { argv: ['muster-agent', 'self-update', '.'], timeLimitMinutes: 15 }
  const manifest = {
    name: 'muster-agent',
    version,
    displayName: 'Muster agent',
    operatingSystems: ['Linux'],
    kind: 'software',
    commands: {
      install: update,
      update,
      detect: { shell: 'test "$(muster-agent --version)" = "$MUSTER_PACKAGE_VERSION"' },
    },
  }
  await writeFile(join(folder, 'muster-package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
