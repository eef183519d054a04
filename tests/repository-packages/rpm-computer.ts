import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openWorld } from '../../agent/test/world.ts'

export type RpmDistribution = 'fedora' | 'opensuse-leap'

/** A computer with this distribution in a folder, and its agent. The tools are those of the machine, with another root. */
export async function openRpmComputer(id: RpmDistribution) {
  const world = await openWorld()
  const system = join(world.root, 'system')
  for (const folder of ['etc/dnf', 'etc/yum.repos.d', 'etc/zypp/repos.d'])
    await mkdir(join(system, folder), { recursive: true })
  await writeFile(join(system, 'etc/dnf/dnf.conf'), '[main]\nbest=True\n')
  await writeFile(join(system, 'etc/os-release'), `ID="${id}"\nPRETTY_NAME="A test of ${id}"\n`)
  world.environment.MUSTER_SYSTEM_ROOT = system
  await world.installFakeTool('rpm', `exec /usr/bin/rpm --root '${system}' "$@"`)
  await world.installFakeTool('dnf', `exec /usr/bin/dnf --installroot='${system}' --releasever=1 "$@"`)
  await world.installFakeTool('zypper', `exec /usr/bin/zypper --root '${system}' "$@"`)
  return { world, system }
}
