import { spawnSync } from 'node:child_process'

/** Everything that tests install from Debian if it is missing. */
const packages = [
  'ansible-core',
  'chromium-headless-shell',
  'curl',
  // The session of a person, whom the agent for Linux notifies and asks.
  ...['dbus-daemon', 'dunst', 'libglib2.0-bin', 'libnotify-bin', 'libnss-wrapper', 'x11-utils', 'xvfb'],
  // Repositories of packages, and the tools that install from them.
  ...['createrepo-c', 'dnf', 'gnupg', 'rpm', 'zypper'],
  'fusioninventory-agent',
  'fusioninventory-agent-task-deploy',
  'jq',
  // Installers that the tests read: programs and packages, their signatures, and the file systems of AppImages.
  ...['nsis', 'osslsigncode', 'rpm', 'squashfs-tools', 'xz-utils', 'zstd'],
  'python3',
  // For the agent for Windows, which Wine runs only on x64, and for the programs of Wine itself.
  ...(['x64', 'arm64'].includes(process.arch) ? ['msitools', 'wine', 'wine64', 'wixl'] : []),
]

/** One for the machine, because runs have temporary folders of their own. */
const lockFile = '/var/tmp/muster-test-debian-packages.lock'
const maxMilliseconds = 15 * 60_000

const install = [
  'set -e',
  `dpkg-query -W -f '\${Status}\\n' ${packages.join(' ')} 2>/dev/null | grep -c '^install ok installed$' | grep -qx ${packages.length} && exit 0`,
  'apt-get -y -q update',
  `apt-get -y -q --no-install-recommends install ${packages.join(' ')}`,
].join('\n')

/**
 * Installs the Debian packages of all tests at once and returns the reason if that fails. The first worker installs them
 * while the others wait: a test that compares the installed software must not run while another worker installs some.
 */
export function installDebianPackages(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may install it'
  if (spawnSync('apt-get', ['--version']).error) return 'this machine has no apt-get'
  const { status, stderr, error } = spawnSync('flock', [lockFile, 'sh', '-c', install], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: maxMilliseconds,
    encoding: 'utf8',
  })
  if (status === 0) return undefined
  return `apt-get failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`
}
