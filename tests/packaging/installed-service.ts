import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../server/test/database/embedded-postgres/muster.ts'
import { installedFolder, repository } from '../../server/test/world/service-process.ts'
import { startMuster } from '../../server/test/world/start-muster.ts'

const tools = ['unshare', 'nsenter', 'setpriv', 'adduser']

/** Why an installation cannot be tried on this machine; undefined if it can. */
export function findReasonAgainstInstallation(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can install'
  const missing = tools.find((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0)
  if (missing) return `${missing} is missing`
  const mount =
    'mount -t tmpfs none /mnt && mkdir /mnt/u /mnt/w && mount -t overlay none -o lowerdir=/usr,upperdir=/mnt/u,workdir=/mnt/w /usr'
  return spawnSync('unshare', ['--mount', 'sh', '-c', mount]).status === 0
    ? undefined
    : 'this machine has no overlay file system'
}

export type InstalledKind = 'Package' | 'Container'

/**
 * The service as a package or an image installs it: in the same folders, with the scripts of the package and its own account. All of it
 * is in a mount namespace, so nothing of this machine changes, and parts of the repository stand in for copies of them.
 */
export async function startInstalled(kind: InstalledKind) {
  const data = await installedFolder()
  const upper = await temporaryFolder()
  const muster = await startMuster({
    dataDirectory: data,
    command: ['unshare', '--mount', 'sh', '-c', toSetUp(kind, data, upper)],
    env: { MUSTER_DATA_DIR: '/var/lib/muster', MUSTER_PACKAGE_STORE: '/var/lib/muster/packages' },
  })
  const within = (command: string, asService = false) => {
    const account = asService ? ['setpriv', '--reuid=muster', '--regid=muster', '--clear-groups'] : []
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...(asService && { MUSTER_DATA_DIR: '/var/lib/muster' }) }
    const target = String(muster.service.process.pid)
    return promisify(execFile)('nsenter', ['--mount', '--target', target, '--wd=/', ...account, 'sh', '-c', command], {
      env,
    })
  }
  return {
    ...muster,
    /** Runs a command as a person in a terminal of the machine: as root or, in a container, as its user. */
    run: async (command: string) => (await within(command, kind === 'Container')).stdout,
    /** Looks at files of the installation. */
    look: async (command: string) => (await within(command)).stdout.trim(),
  }
}

function toSetUp(kind: InstalledKind, data: string, upper: string): string {
  const files = join(repository, 'tools/package/service')
  const parts = [
    'server/package.json',
    'server/dist',
    'server/migrations',
    'console/dist',
    'examples/packages/greeting',
    'node_modules',
  ]
  const bind = (from: string, to: string) => {
    const create = from.endsWith('.json') || from === process.execPath ? 'touch' : 'mkdir -p'
    return `mkdir -p "$(dirname ${to})" && ${create} ${to} && mount --bind ${from} ${to}`
  }
  const overlay = (folder: string, name: string) =>
    `mkdir ${upper}/${name} ${upper}/${name}-work && mount -t overlay none -o lowerdir=${folder},upperdir=${upper}/${name},workdir=${upper}/${name}-work ${folder}`
  return [
    'set -e',
    `mount -t tmpfs none ${upper}`,
    ...[overlay('/usr', 'usr'), overlay('/etc', 'etc'), overlay('/var/lib', 'lib')],
    ...parts
      .filter((path) => existsSync(join(repository, path)))
      .map((path) => bind(join(repository, path), `/usr/lib/muster/${path}`)),
    bind(process.execPath, '/usr/lib/muster/bin/node'),
    `install -m 755 ${files}/muster-server /usr/bin/muster-server`,
    `install -D -m 640 ${files}/muster.env /etc/muster/muster.env`,
    'install -d -m 700 /etc/muster/credentials',
    `sh ${files}/postinst configure 2>&1`,
    ...(kind === 'Container' ? [`cp ${repository}/tools/package/container/health-check.ts /usr/lib/muster/bin/`] : []),
    // Nothing here starts services: what would restart this one is recorded.
    `printf '#!/bin/sh\\necho "$@" > /run/muster-restarted\\n' > ${upper}/systemctl && chmod 755 ${upper}/systemctl`,
    `touch /usr/bin/systemctl && mount --bind ${upper}/systemctl /usr/bin/systemctl`,
    'mount -t tmpfs none /run',
    `mount --bind ${data} /var/lib/muster && chown -R muster:muster /var/lib/muster && cd /var/lib/muster`,
    'exec setpriv --reuid=muster --regid=muster --init-groups /usr/lib/muster/bin/node /usr/lib/muster/server/dist/main.js',
  ].join('\n')
}
