import { toHypervisor } from '../../common/virtual-machine.ts'
import type { SystemAccess } from './system-access.ts'

/** The hypervisor of a virtual machine, or null on physical hardware. */
export async function virtualMachineType(system: SystemAccess): Promise<string | null> {
  const firmware = ['sys_vendor', 'product_name', 'bios_vendor'].map((name) => system.text(`/sys/class/dmi/id/${name}`))
  const text = (await Promise.all([...firmware, system.text('/sys/hypervisor/type')])).filter(Boolean).join(' ')
  const known = toHypervisor(text)
  if (known) return known
  const isGuest = /^flags\s*:.*\bhypervisor\b/m.test((await system.text('/proc/cpuinfo')) ?? '')
  return isGuest ? 'Virtual machine' : null
}
