import type { enPanelActions } from '../../texts/en-panel-actions.ts'

/** Something that a person does in a panel of the console. */
type PanelAction = {
  id: keyof typeof enPanelActions
  /** The operation behind it, and the roles that it needs. */
  operation: string
  roles: readonly string[]
  /** The page where it is done. */
  to: string
  /** The page opens the panel at once. On the others, the person first chooses with what it is done. */
  opens?: true
}

/** tests/pages/palette-actions.test.ts compares them with the panels of the console and with the API. */
export const panelActions: readonly PanelAction[] = [
  { id: 'createComputer', operation: 'createComputer', roles: ['computer.write'], to: '/computers', opens: true },
  { id: 'deployToComputers', operation: 'activateComputers', roles: ['activation.execute'], to: '/computers' },
  {
    id: 'installOnComputers',
    operation: 'installOnComputers',
    roles: ['activation.execute', 'group.write'],
    to: '/computers',
  },
  { id: 'uninstallOnComputers', operation: 'uninstallOnComputers', roles: ['activation.execute'], to: '/computers' },
  { id: 'restartComputers', operation: 'rebootComputers', roles: ['reboot.execute'], to: '/computers' },
  { id: 'rescanComputers', operation: 'rescanComputers', roles: ['scan.execute'], to: '/computers' },
  { id: 'editComputer', operation: 'updateComputer', roles: ['computer.write'], to: '/computers' },
  { id: 'deleteComputers', operation: 'deleteComputers', roles: ['computer.write'], to: '/computers' },
  { id: 'reinstallSystem', operation: 'activateComputer', roles: ['activation.execute'], to: '/computers' },
  { id: 'reEnrol', operation: 'allowComputerReEnrolment', roles: ['admin.manage'], to: '/computers' },
  { id: 'createGroup', operation: 'createGroup', roles: ['group.write'], to: '/groups' },
  { id: 'changeGroup', operation: 'updateGroup', roles: ['group.write'], to: '/groups' },
  { id: 'changeMembers', operation: 'addGroupComputers', roles: ['group.write'], to: '/groups' },
  { id: 'assignPackage', operation: 'assignGroupPackage', roles: ['group.write'], to: '/groups' },
  { id: 'groupOptions', operation: 'setDistributionOptions', roles: ['group.write'], to: '/groups' },
  { id: 'newRollout', operation: 'createRollout', roles: ['activation.execute'], to: '/groups' },
  { id: 'changeRollout', operation: 'pauseRollout', roles: ['activation.execute'], to: '/rollouts' },
  { id: 'uploadPackage', operation: 'createPackageUpload', roles: ['package.write'], to: '/packages' },
  { id: 'releasePackage', operation: 'setReadyToInstall', roles: ['package.write'], to: '/packages' },
  {
    id: 'upgradePackage',
    operation: 'createPackageUpgrade',
    roles: ['activation.execute', 'group.write'],
    to: '/package-lines',
  },
  { id: 'decideRequests', operation: 'approvePackageRequest', roles: ['activation.execute'], to: '/package-requests' },
  { id: 'importCatalog', operation: 'importPatchCatalog', roles: ['pm.write'], to: '/patches', opens: true },
  { id: 'approvePatches', operation: 'approvePatches', roles: ['pm.approve'], to: '/patches' },
  { id: 'patchSla', operation: 'setPatchSla', roles: ['pm.approve'], to: '/patches/compliance' },
  { id: 'patchPolicies', operation: 'createPatchPolicy', roles: ['pm.approve'], to: '/patches/policies' },
  {
    id: 'exceptVulnerability',
    operation: 'createVulnerabilityException',
    roles: ['pm.approve'],
    to: '/vulnerabilities',
  },
  { id: 'createPatchGroup', operation: 'createPmGroup', roles: ['pm.write'], to: '/patches/groups', opens: true },
  { id: 'changePatchGroup', operation: 'updatePmGroup', roles: ['pm.write'], to: '/patches/groups' },
  { id: 'newReport', operation: 'createReport', roles: ['computer.read'], to: '/reports', opens: true },
  { id: 'newLicence', operation: 'createLicence', roles: ['package.write'], to: '/reports/licences', opens: true },
  { id: 'setMailServer', operation: 'setMailServer', roles: ['admin.manage'], to: '/reports/mail-server', opens: true },
  { id: 'newWebhook', operation: 'createWebhook', roles: ['admin.manage'], to: '/admin/webhooks', opens: true },
  { id: 'newTag', operation: 'createTag', roles: ['package.write'], to: '/infrastructure/tags', opens: true },
  { id: 'editField', operation: 'updateCustomField', roles: ['computer.write'], to: '/infrastructure/fields' },
  { id: 'syncDepots', operation: 'triggerSyncJob', roles: ['activation.execute'], to: '/infrastructure' },
  { id: 'depotCredential', operation: 'createDepotCredential', roles: ['admin.manage'], to: '/infrastructure' },
  {
    id: 'createToken',
    operation: 'createEnrolmentToken',
    roles: ['admin.manage'],
    to: '/admin/enrolment',
    opens: true,
  },
  { id: 'confirmAgents', operation: 'confirmQuarantinedAgent', roles: ['admin.manage'], to: '/admin/enrolment' },
  { id: 'agentPackages', operation: 'designateAgentPackage', roles: ['admin.manage'], to: '/admin/enrolment' },
  { id: 'addPrincipal', operation: 'createLocalPrincipal', roles: ['admin.manage'], to: '/admin/principals/new' },
  { id: 'changePrincipal', operation: 'updateLocalPrincipal', roles: ['admin.manage'], to: '/admin/principals' },
  { id: 'decideApprovals', operation: 'approveRequest', roles: ['admin.manage'], to: '/admin/approvals' },
  { id: 'freeze', operation: 'setFreeze', roles: ['admin.manage'], to: '/admin/safety' },
]
