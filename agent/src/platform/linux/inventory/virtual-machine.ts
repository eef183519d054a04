import type { SystemAccess } from './system-access.ts'

const makers: [RegExp, string][] = [
  [/vmware/i, 'VMware'],
  [/innotek|virtualbox/i, 'VirtualBox'],
  [/qemu|kvm|red hat|ovirt|openstack|proxmox/i, 'KVM'],
  [/microsoft corporation virtual/i, 'Hyper-V'],
  [/amazon ec2/i, 'Amazon EC2'],
  [/google compute/i, 'Google Compute Engine'],
  [/xen/i, 'Xen'],
  [/parallels/i, 'Parallels'],
]

/** The hypervisor of a virtual machine, or null on physical hardware. */
export async function virtualMachineType(system: SystemAccess): Promise<string | null> {
  const firmware = ['sys_vendor', 'product_name', 'bios_vendor'].map((name) => system.text(`/sys/class/dmi/id/${name}`))
  const text = (await Promise.all([...firmware, system.text('/sys/hypervisor/type')])).filter(Boolean).join(' ')
  const known = makers.find(([pattern]) => pattern.test(text))
  if (known) return known[1]
  const isGuest = /^flags\s*:.*\bhypervisor\b/m.test((await system.text('/proc/cpuinfo')) ?? '')
  return isGuest ? 'Virtual machine' : null
}
