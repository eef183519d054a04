import { cleanText } from '../../common/texts.ts'
import { toHypervisor } from '../../common/virtual-machine.ts'
import type { SystemAccess } from './system-access.ts'

/** The container or the hypervisor that the system runs in, or null on physical hardware. */
export async function virtualMachineType(system: SystemAccess): Promise<string | null> {
  // A container sees the firmware of its host.
  const container = await containerType(system)
  if (container) return container
  const firmware = ['sys_vendor', 'product_name', 'bios_vendor'].map((name) => system.text(`/sys/class/dmi/id/${name}`))
  const text = (await Promise.all([...firmware, system.text('/sys/hypervisor/type')])).filter(Boolean).join(' ')
  const known = toHypervisor(text)
  if (known) return known
  const isGuest = /^flags\s*:.*\bhypervisor\b/m.test((await system.text('/proc/cpuinfo')) ?? '')
  return isGuest ? 'Virtual machine' : null
}

async function containerType(system: SystemAccess): Promise<string | null> {
  const named = cleanText(await system.text('/run/systemd/container'), 100)
  if (named) return named
  if ((await system.text('/.dockerenv')) !== undefined) return 'docker'
  if ((await system.text('/run/.containerenv')) !== undefined) return 'podman'
  return /microsoft/i.test((await system.text('/proc/sys/kernel/osrelease')) ?? '') ? 'WSL' : null
}
