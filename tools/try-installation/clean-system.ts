import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Outcome = { code: number; output: string }

export type CleanSystem = {
  folder: string
  root: string
  /** Runs a shell command in the system, as root. */
  within(command: string): Promise<Outcome>
  /** The paths of all files that are not temporary. */
  listFiles(): Promise<string[]>
  stop(): Promise<void>
}

/** Packages beyond a minimal Debian: its systemd, and what the command of an enrolment token and the checks use. */
const packages = ['systemd', 'systemd-sysv', 'dbus', 'curl', 'sudo', 'minisign', 'openssl']

/**
 * Boots a clean Debian with its own systemd, in namespaces of this machine whose network it shares. mmdebstrap makes the
 * system from the package sources of this machine, unless there is an archive of such a system.
 */
export async function bootCleanSystem(hostName: string, archive?: string): Promise<CleanSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-try-'))
  const root = join(folder, 'root')
  await mkdir(root)
  if (archive) await run('tar', ['--extract', '--directory', root, '--file', archive])
  else await run('sh', ['-c', makeSystem, 'sh', root], { maxBuffer: 1e8 })
  await writeFile(join(root, 'etc/hostname'), `${hostName}\n`)
  await writeFile(join(root, 'etc/hosts'), `127.0.0.1 localhost ${hostName}\n`)
  // The settings of the kernel are those of this machine.
  await symlink('/dev/null', join(root, 'etc/systemd/system/systemd-sysctl.service'))
  const log = await open(join(folder, 'boot.log'), 'w')
  const namespaces = ['--pid', '--mount', '--uts', '--ipc', '--cgroup', '--fork', '--kill-child']
  const boot = join(import.meta.dirname, 'boot-system.sh')
  const system = spawn('unshare', [...namespaces, boot, root], { stdio: ['ignore', log.fd, log.fd] })
  const ended = new Promise((resolve) => system.once('close', resolve))
  const firstProcess = async () =>
    (await readFile(`/proc/${system.pid}/task/${system.pid}/children`, 'utf8')).trim().split(' ')[0] ?? ''

  async function within(command: string): Promise<Outcome> {
    const environment = ['env', '--ignore-environment', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LC_ALL=C']
    const shell = [...environment, 'sh', '-c', `exec 2>&1; ${command}`]
    return run('nsenter', ['--target', await firstProcess(), '--all', ...shell], { maxBuffer: 1e8 }).then(
      ({ stdout }) => ({ code: 0, output: stdout.trim() }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, output: String(stdout).trim() }),
    )
  }

  async function stop(): Promise<void> {
    // unshare ignores signals. All processes of the system end with its first one.
    const first = await firstProcess().catch(() => '')
    if (first) process.kill(Number(first), 'SIGKILL')
    await ended
    await log.close()
    await rm(folder, { recursive: true })
  }

  for (let attempts = 100; !/running|degraded/.test((await within('systemctl is-system-running')).output); attempts--) {
    if (attempts === 0) throw new Error(`The system did not start: ${await readFile(join(folder, 'boot.log'), 'utf8')}`)
    await sleep(300)
  }
  return {
    folder,
    root,
    within,
    listFiles: async () => (await within('find / -xdev -not -path "/var/log/*" | sort')).output.split('\n'),
    stop,
  }
}

const makeSystem = `find /etc/apt -type f \\( -name '*.list' -o -name '*.sources' \\) -exec cat {} + |
  mmdebstrap --quiet --variant=minbase --include=${packages.join(',')} "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$1" -`
