/** Every role there is, with what it grants. No role implies another. */
export const roles = {
  'computer.read':
    'Read computers, inventory, issues, health, deployment and patch status, distribution history, tasks, queues, depot servers and sync jobs, and the custom field configuration.',
  'computer.write':
    'Create, change and delete computers, set their variables, and change the custom field configuration.',
  'group.read': 'Read groups with their members, assignments, distribution options, depot servers and variables.',
  'group.write':
    'Create, change and delete groups, assign computers and everything assignable to them, and replace packages.',
  'package.read':
    'Read packages and their status, agent templates, operating system images, language packs, PXE boot images, software classes, variable definitions and configurations, tags and the depot topology setting.',
  'package.write':
    'Import packages, generate hashes, set the Ready-to-Install flag, and change tags and the depot topology setting.',
  'activation.execute': 'Activate and deactivate computers and groups, uninstall software, and trigger a depot sync.',
  'reinstall.execute': 'Trigger and cancel enforced reinstalls.',
  'scan.execute': 'Force an inventory or patch scan.',
  'reboot.execute': 'Request a reboot of a computer.',
  'pm.read':
    'Read the patch catalog, patch management groups with their patches and assignments, and product versions.',
  'pm.write': 'Create patch management groups, add and remove their patches, and assign them to the tree.',
  'pm.approve': 'Approve patches and revoke approvals.',
  'pm.execute': 'Start and remove emergency patching.',
  'admin.manage': 'Manage principals and their roles, and read the audit trail and the metrics.',
} as const

export type Role = keyof typeof roles

export const roleNames = Object.keys(roles) as Role[]
