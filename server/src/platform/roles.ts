/** All roles, each with a description of what it allows. No role includes another. */
export const roles = {
  'computer.read':
    'Read computers with their groups, effective assignments, variables, inventory, issues, deployments and patch status. Also read tasks, queues, depot servers, sync jobs, custom fields and the versions of the service.',
  'computer.write': 'Create, change and delete computers, set their variables, and change custom fields.',
  'group.read': 'Read groups with their members, assignments, distribution options, depot servers and variables.',
  'group.write':
    'Create, change and delete groups, their members, assignments, distribution options, depot servers and variables, and replace a package in all groups.',
  'package.read':
    'Read packages and their deployment status, agent templates, operating system images, language packs, PXE boot images, software classes, variable definitions and configurations, tags and the depot topology setting. Also export and plan the catalog.',
  'package.write':
    'Import packages, verify their hashes, set the Ready-to-Install flag, change tags and the depot topology setting, and apply a catalog.',
  'activation.execute':
    'Activate and deactivate computers and groups, uninstall a package from a computer, and synchronise depots.',
  'reinstall.execute': 'Reinstall a package on a computer, and cancel pending reinstalls and scans.',
  'scan.execute': 'Request an inventory or patch scan of a computer.',
  'reboot.execute': 'Request a reboot of a computer.',
  'pm.read':
    'Read the patch catalog and its product versions, and patch management groups with their patches, assignments and emergency patching.',
  'pm.write':
    'Import patches, create, change and delete patch management groups, change their patches, and assign them to groups of computers.',
  'pm.approve': 'Approve patches and revoke approvals.',
  'pm.execute': 'Start and stop emergency patching.',
  'admin.manage':
    'Manage principals and their roles, and the credentials of depot servers. Also manage enrolment tokens, allow re-enrolment, revoke the credentials of agents and decide about agents in quarantine; a token that names a group also requires group.write. Also read the audit trail and the metrics.',
  'metrics.read': 'Read the metrics of the service. Not part of the original contract.',
  'audit.read':
    'Read the audit trail; names of computers, groups and packages in it require the roles that read those. Not part of the original contract.',
} as const

export type Role = keyof typeof roles

export const roleNames = Object.keys(roles) as Role[]

/** Who may call: principals with one role, every caller with a valid token, everybody, or machines with a credential. */
export type Access = Role | 'any valid token' | 'no token' | 'machine'

export function isRole(access: Access): access is Role {
  return access !== 'any valid token' && access !== 'no token' && access !== 'machine'
}
