import { chmod, copyFile, mkdir, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const source = (name: string) => join(root, 'agent/install', name)

export const configurationFile = 'etc/muster-agent/agent.env'

/** What an installation of the agent consists of: each file with its origin and its mode. */
function installedFiles(executable: string): [path: string, from: string, mode: number][] {
  return [
    ['usr/bin/muster-agent', source('muster-agent.sh'), 0o755],
    ['usr/lib/muster-agent/muster-agent', executable, 0o755],
    ['usr/lib/muster-agent/setup', source('setup.sh'), 0o755],
    ['usr/lib/muster-agent/stop', source('stop.sh'), 0o755],
    ['usr/lib/muster-agent/uninstall', source('uninstall.sh'), 0o755],
    ['usr/lib/systemd/system/muster-agent.service', source('muster-agent.service'), 0o644],
    [configurationFile, source('agent.env'), 0o600],
    ['usr/share/doc/muster-agent/copyright', join(root, 'LICENSE'), 0o644],
  ]
}

/** Lays out the files as they are installed. The same files result in the same tree, whenever it is made. */
export async function layOutTree(executable: string, folder: string, builtAt: Date): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const [path, from, mode] of installedFiles(executable)) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o755 })
    await copyFile(from, target)
    await chmod(target, mode)
    await utimes(target, builtAt, builtAt)
  }
}
