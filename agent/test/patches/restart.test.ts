import { expect, test, vi } from 'vitest'
import { findRestartReason, mayNeedRestart, newerKernel } from '../../src/platform/linux/patches/restart.ts'
import { openWorld } from '../world.ts'

test.each([
  ['6.1.0-18-amd64', ['6.1.0-18-amd64', '6.1.0-9-amd64', '6.1.0-21-amd64', '6.9.0-1-cloud-amd64'], '6.1.0-21-amd64'],
  ['6.1.0-21-amd64', ['6.1.0-18-amd64', '6.1.0-21-amd64'], undefined],
  ['5.14.0-427.el9.x86_64', ['5.14.0-427.el9.x86_64', '5.14.0-503.1.el9.x86_64'], '5.14.0-503.1.el9.x86_64'],
  ['5.14.0-427.el9.x86_64', ['5.14.0-427.el9.x86_64', '5.14.0-503.1.el9.x86_64+rt'], undefined],
  ['6.4.0-150600.21-default', ['6.4.0-150600.21-default', '6.4.0-150600.23.25-default'], '6.4.0-150600.23.25-default'],
  // In a container, the running kernel is that of another system.
  ['6.9.1-host', ['6.1.0-18-amd64', '6.1.0-21-amd64'], undefined],
])('with the kernel %s running and %j installed, the newer one of its kind is %s', (running, installed, newer) => {
  expect(newerKernel(running, installed)).toBe(newer)
})

test('a restart may be needed for kernels, the C library and what starts first, and for no other package', () => {
  const asked = ['kernel-core', 'kernel-default', 'linux-image-6.1.0-21-amd64', 'libc6', 'glibc', 'systemd', 'dbus']
  expect(asked.filter((name) => !mayNeedRestart(name))).toEqual([])
  expect(['bash', 'kernel-headers', 'glibc-common', 'linux-libc-dev', 'systemd-doc'].filter(mayNeedRestart)).toEqual([])
})

type Family = 'deb' | 'rpm'
const system = (family: Family, isSuse = false) => ({ title: 'A test', family, isSuse })

/** The tools answer what their manuals say; those of the machine are not found. */
test.each([
  ['needrestart', system('deb'), 'echo "NEEDRESTART-KCUR: 1"; echo "NEEDRESTART-KSTA: 3"', true],
  ['needrestart', system('deb'), 'echo "NEEDRESTART-KSTA: 1"', false],
  ['needrestart', system('deb'), 'echo "NEEDRESTART-KSTA: 3" >&2; exit 1', false],
  ['needs-restarting', system('rpm'), 'echo "Reboot is required to fully utilize these updates."; exit 1', true],
  ['needs-restarting', system('rpm'), 'echo "Reboot should not be necessary."', false],
  ['dnf', system('rpm'), 'echo "No such command: needs-restarting." >&2; exit 1', false],
  ['dnf', system('rpm'), 'test "$*" = "-q needs-restarting -r" && echo "Reboot is required."; exit 1', true],
  ['zypper', system('rpm', true), 'test "$*" = "--non-interactive needs-rebooting" && exit 102', true],
  ['zypper', system('rpm', true), 'exit 0', false],
] as const)('%s is asked on %j, and decides about a restart: %s', async (tool, computer, script, isNeeded) => {
  const { installFakeTool, environment, root } = await openWorld()
  await installFakeTool(tool, script)
  vi.stubEnv('PATH', environment.PATH?.split(':')[0])
  vi.stubEnv('MUSTER_SYSTEM_ROOT', root)
  vi.stubEnv('MUSTER_REBOOT_SIGN', '')
  // The fake tools need no other program but the shell.
  const reason = await findRestartReason(computer).finally(() => vi.unstubAllEnvs())

  if (isNeeded) expect(reason).toBe(`${tool} asks for it`)
  else expect(reason ?? '/run/reboot-required').toBe('/run/reboot-required')
})
