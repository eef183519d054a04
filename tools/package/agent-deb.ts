import { chmod, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configurationFile, layOutTree } from './agent-tree.ts'
import { maintainer } from './maintainer.ts'
import { run } from './run.ts'

type Contents = { executable: string; version: string; architecture: string; builtAt: Date }

const scripts = join(import.meta.dirname, '../../agent/install/deb')

/** Builds the Debian package of the agent. */
export async function buildDeb(
  target: string,
  { executable, version, architecture, builtAt }: Contents,
): Promise<void> {
  const tree = `${target}.tree`
  try {
    await layOutTree(executable, tree, builtAt)
    const control = join(tree, 'DEBIAN')
    await mkdir(control, { mode: 0o755 })
    for (const name of await readdir(scripts)) {
      await cp(join(scripts, name), join(control, name))
      await chmod(join(control, name), 0o755)
    }
    await writeFile(join(control, 'control'), controlFile(version, architecture), { mode: 0o644 })
    await writeFile(join(control, 'conffiles'), `/${configurationFile}\n`, { mode: 0o644 })
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(builtAt.getTime() / 1000) }
    await run('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', tree, target], { env })
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}

function controlFile(version: string, architecture: string): string {
  return `Package: muster-agent
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Section: admin
Priority: optional
Depends: libc6 (>= 2.28), libstdc++6 (>= 8)
Description: Agent of the endpoint management service Muster
 Installs, updates and removes software on this computer, sends its inventory
 and restarts it, as the service asks for.
`
}
