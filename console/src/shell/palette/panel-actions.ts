import type { enPanelActions } from '../../texts/en-panel-actions.ts'

/** Something that a person does in a panel of the console. */
type PanelAction = {
  id: keyof typeof enPanelActions
  /** The operation behind it, and the role that it needs. */
  operation: string
  role: string
  /** The page where it is done. */
  to: string
  /** The page opens the panel at once. On the others, the person first chooses with what it is done. */
  opens?: true
}

/** tests/pages/palette-actions.test.ts compares them with the panels of the console and with the API. */
export const panelActions: readonly PanelAction[] = [
  { id: 'createComputer', operation: 'createComputer', role: 'computer.write', to: '/computers', opens: true },
  { id: 'deployToComputers', operation: 'activateComputers', role: 'activation.execute', to: '/computers' },
  { id: 'installOnComputers', operation: 'installOnComputers', role: 'activation.execute', to: '/computers' },
  { id: 'uninstallOnComputers', operation: 'uninstallOnComputers', role: 'activation.execute', to: '/computers' },
  { id: 'restartComputers', operation: 'rebootComputers', role: 'reboot.execute', to: '/computers' },
  { id: 'rescanComputers', operation: 'rescanComputers', role: 'scan.execute', to: '/computers' },
  { id: 'editComputer', operation: 'updateComputer', role: 'computer.write', to: '/computers' },
  { id: 'deleteComputers', operation: 'deleteComputers', role: 'computer.write', to: '/computers' },
  { id: 'reinstallSystem', operation: 'reinstallComputer', role: 'activation.execute', to: '/computers' },
  { id: 'reEnrol', operation: 'allowComputerReEnrolment', role: 'admin.manage', to: '/computers' },
  { id: 'createGroup', operation: 'createGroup', role: 'group.write', to: '/groups' },
  { id: 'changeGroup', operation: 'updateGroup', role: 'group.write', to: '/groups' },
  { id: 'changeMembers', operation: 'addGroupComputers', role: 'group.write', to: '/groups' },
  { id: 'assignPackage', operation: 'assignGroupPackage', role: 'group.write', to: '/groups' },
  { id: 'groupOptions', operation: 'setGroupDistributionOptions', role: 'group.write', to: '/groups' },
  { id: 'newRollout', operation: 'createRollout', role: 'activation.execute', to: '/groups' },
  { id: 'changeRollout', operation: 'pauseRollout', role: 'activation.execute', to: '/rollouts' },
  { id: 'uploadPackage', operation: 'createPackageUpload', role: 'package.write', to: '/packages' },
  { id: 'releasePackage', operation: 'setPackageReadyToInstall', role: 'package.write', to: '/packages' },
  { id: 'upgradePackage', operation: 'createPackageUpgrade', role: 'activation.execute', to: '/package-lines' },
  { id: 'decideRequests', operation: 'approvePackageRequest', role: 'activation.execute', to: '/package-requests' },
  { id: 'importCatalog', operation: 'importPatchCatalog', role: 'pm.write', to: '/patches', opens: true },
  { id: 'approvePatches', operation: 'approvePatches', role: 'pm.approve', to: '/patches' },
  { id: 'createPatchGroup', operation: 'createPmGroup', role: 'pm.write', to: '/patches/groups', opens: true },
  { id: 'changePatchGroup', operation: 'updatePmGroup', role: 'pm.write', to: '/patches/groups' },
  { id: 'newReport', operation: 'createReport', role: 'computer.read', to: '/reports', opens: true },
  { id: 'newLicence', operation: 'createLicence', role: 'package.write', to: '/reports/licences', opens: true },
  { id: 'setMailServer', operation: 'setMailServer', role: 'admin.manage', to: '/reports/mail-server', opens: true },
  { id: 'newWebhook', operation: 'createWebhook', role: 'admin.manage', to: '/admin/webhooks', opens: true },
  { id: 'newTag', operation: 'createTag', role: 'package.write', to: '/infrastructure/tags', opens: true },
  { id: 'editField', operation: 'updateCustomField', role: 'computer.write', to: '/infrastructure/fields' },
  { id: 'syncDepots', operation: 'triggerSyncJob', role: 'activation.execute', to: '/infrastructure' },
  { id: 'depotCredential', operation: 'createDepotCredential', role: 'admin.manage', to: '/infrastructure' },
  { id: 'createToken', operation: 'createEnrolmentToken', role: 'admin.manage', to: '/admin/enrolment', opens: true },
  { id: 'confirmAgents', operation: 'confirmQuarantinedAgent', role: 'admin.manage', to: '/admin/enrolment' },
  { id: 'agentPackages', operation: 'designateAgentPackage', role: 'admin.manage', to: '/admin/enrolment' },
  { id: 'addPrincipal', operation: 'createLocalPrincipal', role: 'admin.manage', to: '/admin/principals/new' },
  { id: 'changePrincipal', operation: 'updateLocalPrincipal', role: 'admin.manage', to: '/admin/principals' },
  { id: 'decideApprovals', operation: 'approveRequest', role: 'admin.manage', to: '/admin/approvals' },
  { id: 'freeze', operation: 'setFreeze', role: 'admin.manage', to: '/admin/safety' },
]
