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

/** The hypervisor that the texts of the firmware name; null if they name none. */
export function toHypervisor(firmware: string): string | null {
  return makers.find(([pattern]) => pattern.test(firmware))?.[1] ?? null
}
