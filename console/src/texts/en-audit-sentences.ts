import type { AuditSentence } from './audit-sentence.ts'

/** What happened, by operation. */
export const enAuditSentences = {
  signIn: ({ status }) => (status < 400 ? '{who} signed in' : '{who} failed to sign in'),
  signOut: '{who} signed out',
  requestToken: ({ status }) =>
    status < 400 ? '{who} requested an access token' : '{who} was refused an access token',
  restoreBackup: '{who} restored a backup',
  enrolAgent: ({ body, status }) => {
    if (body.reason === 'QuarantineFull') return '{who} was refused, because too many agents claim the computer'
    if (status >= 400) return '{who} was refused, because the computer has another agent'
    return body.event === 'Quarantined' ? '{who} was put in quarantine' : '{who} enrolled as {Computer}'
  },

  upsertPrincipal: '{who} created or changed the principal {Principal}',
  updatePrincipal: '{who} changed the principal {Principal}',
  deletePrincipal: '{who} deleted the principal {Principal}',
  createLocalPrincipal: '{who} created the principal {LocalPrincipal}',
  updateLocalPrincipal: '{who} changed the principal {LocalPrincipal}',
  deleteLocalPrincipal: '{who} deleted the principal {LocalPrincipal}',
  setLocalPrincipalRevoked: ({ body }) =>
    `{who} ${body.isRevoked ? 'revoked' : 'restored'} the principal {LocalPrincipal}`,
  createLocalPrincipalSecret: '{who} created a secret for {LocalPrincipal}',
  deleteLocalPrincipalSecret: '{who} deleted a secret of {LocalPrincipal}',

  createComputer: '{who} created the computer {Computer}',
  updateComputer: '{who} changed the computer {Computer}',
  deleteComputer: '{who} deleted the computer {Computer}',
  setComputerTags: '{who} changed the tags of {Computer}',
  activateComputer: '{who} deployed to {Computer}',
  deactivateComputer: '{who} cancelled the pending work of {Computer}',
  uninstallSoftware: '{who} uninstalled {Package} from {Computer}',
  requestSoftwareReinstall: '{who} requested the reinstallation of {Package} on {Computer}',
  cancelSoftwareReinstall: '{who} cancelled a reinstallation or scan on {Computer}',
  rescanComputer: '{who} requested a scan of {Computer}',
  rebootComputer: '{who} requested a restart of {Computer}',
  activateComputers: '{who} deployed to {Computer}',
  rescanComputers: '{who} requested a scan of {Computer}',
  rebootComputers: '{who} requested a restart of {Computer}',
  confirmOsInstallation: '{who} confirmed the installation of {Computer}',
  setComputerVariable: '{who} set the variable {Variable} on {Computer}',
  createComputerCollectionEntry: '{who} added an entry to {Variable} on {Computer}',
  updateComputerCollectionEntry: '{who} changed an entry of {Variable} on {Computer}',
  deleteComputerCollectionEntry: '{who} deleted an entry of {Variable} on {Computer}',
  updateCustomField: '{who} changed the custom field {designation}',

  createGroup: '{who} created the group {Group}',
  updateGroup: '{who} changed the group {Group}',
  moveGroup: '{who} moved the group {Group}',
  deleteGroup: '{who} deleted the group {Group}',
  setGroupKind: '{who} changed the kind of the group {Group}',
  setGroupRule: '{who} set the rule of the group {Group}',
  removeGroupRule: '{who} removed the rule of the group {Group}',
  setGroupConvergence: ({ body }) =>
    body.state === 'On'
      ? '{who} keeps the members of the group {Group} converged'
      : '{who} no longer keeps the members of the group {Group} converged',
  removeGroupConvergence: '{who} gave the group {Group} the convergence of the groups above it',
  convergeGroup: '{who} began a wave',
  followGroupRule: ({ body }) =>
    body.event === 'Stopped'
      ? '{who} stopped: too many computers would have joined or left {Group}'
      : body.event === 'Restless'
        ? '{who} left computers where they are that keep joining and leaving {Group}'
        : '{who} changed the members of {Group}',
  addGroupComputers: '{who} added {Computer} to {Group}',
  addSelectionToGroup: '{who} added {Computer} to {Group}',
  removeGroupComputers: '{who} removed computers from {Group}',
  activateGroup: '{who} deployed to {Group}',
  deactivateGroup: '{who} cancelled the pending work of {Group}',
  assignGroupPackage: '{who} assigned {Package} to {Group}',
  removeGroupPackage: '{who} removed {Package} from {Group}',
  replacePackage: '{who} replaced {oldPackageId} by {newPackageId}',
  assignGroupPxeBootImage: '{who} assigned a PXE boot image to {Group}',
  removeGroupPxeBootImage: '{who} removed the PXE boot image from {Group}',
  assignGroupOsImageSku: '{who} assigned {Package} to {Group}',
  removeGroupOsImageSku: '{who} removed the operating system from {Group}',
  assignGroupAgentTemplate: '{who} assigned the agent template {Package} to {Group}',
  removeGroupAgentTemplate: '{who} removed the agent template {Package} from {Group}',
  assignGroupLanguagePack: '{who} assigned the language pack {Package} to {Group}',
  removeGroupLanguagePack: '{who} removed the language pack {Package} from {Group}',
  assignGroupSoftwareClass: '{who} assigned the software class {SoftwareClass} to {Group}',
  removeGroupSoftwareClass: '{who} removed the software class {SoftwareClass} from {Group}',
  setDistributionOptions: '{who} changed the distribution options of {Group}',
  removeDistributionOptions: '{who} removed the distribution options of {Group}',
  setGroupDepotServers: '{who} changed the depot servers of {Group}',
  setGroupVariable: '{who} set the variable {Variable} on {Group}',
  createGroupCollectionEntry: '{who} added an entry to {Variable} on {Group}',
  updateGroupCollectionEntry: '{who} changed an entry of {Variable} on {Group}',
  deleteGroupCollectionEntry: '{who} deleted an entry of {Variable} on {Group}',
  assignGroupVariableConfiguration: '{who} assigned a variable configuration to {Group}',
  removeGroupVariableConfiguration: '{who} removed a variable configuration from {Group}',

  createPackageUpload: '{who} began to upload {fileName}',
  deletePackageUpload: '{who} deleted an upload',
  importPackageUpload: '{who} made a package of an upload',
  importPackage: '{who} imported a package from {folderPath}',
  addRepositoryPackage: '{who} added a package from a repository',
  setPackageTags: '{who} changed the tags of {Package}',
  setReadyToInstall: ({ body }) =>
    body.operational ? '{who} released {Package}' : '{who} withdrew the release of {Package}',
  generatePackageHash: '{who} checked the files of {Package}',
  createTag: '{who} created the tag {Tag}',
  updateTag: '{who} changed the tag {Tag}',
  deleteTag: '{who} deleted the tag {Tag}',
  applyCatalog: '{who} applied a catalog',
  applyDesiredState: '{who} applied the desired state of a document',

  createRollout: '{who} started the rollout {name}',
  updateRollout: '{who} changed the rollout {Rollout}',
  pauseRollout: '{who} paused the rollout {Rollout}',
  resumeRollout: '{who} resumed the rollout {Rollout}',
  advanceRollout: '{who} advanced the rollout {Rollout} to its next ring',
  cancelRollout: '{who} cancelled the rollout {Rollout}',
  retryRollout: '{who} retried the failures of the rollout {Rollout}',
  retryTask: '{who} retried the failures of a task',
  retryPackage: '{who} retried the failures of {Package}',

  createPackageTrial: '{who} tried {Package} on a computer',
  cancelPackageTrial: '{who} cancelled the trial of a package',
  approvePackageRequest: '{who} approved a package request: {Package}',
  declinePackageRequest: '{who} declined a package request',

  importPatchCatalog: '{who} imported patches from {folderPath}',
  downloadPatch: '{who} downloaded the files of {Patch}',
  approvePatch: '{who} approved {Patch}',
  revokePatchApproval: '{who} revoked the approval of {Patch}',
  createPmGroup: '{who} created the patch group {PmGroup}',
  updatePmGroup: '{who} changed the patch group {PmGroup}',
  deletePmGroup: '{who} deleted the patch group {PmGroup}',
  addPmGroupPatches: '{who} added patches to {PmGroup}',
  removePmGroupPatch: '{who} removed a patch from {PmGroup}',
  assignPmGroup: '{who} assigned {PmGroup} to {treeId}',
  removePmGroupAssignment: '{who} removed the assignment of {PmGroup}',
  startEmergencyPatching: '{who} started emergency patching with {PmGroup}',
  stopEmergencyPatching: '{who} stopped emergency patching with {PmGroup}',

  assignDepotTag: '{who} gave the depot {Computer} the tag {Tag}',
  removeDepotTag: '{who} removed the tag {Tag} from the depot {Computer}',
  createDepotCredential: '{who} created a credential for the depot {Computer}',
  deleteDepotCredential: '{who} revoked the credential of the depot {Computer}',
  setDepotTopologySetting: ({ body }) =>
    body.isActive ? '{who} let tags decide about the packages of depots' : '{who} let every depot have all packages',
  triggerSyncJob: '{who} requested synchronisations of depots',

  createEnrolmentToken: '{who} created the enrolment token {EnrolmentToken}',
  revokeEnrolmentToken: '{who} revoked the enrolment token {EnrolmentToken}',
  allowComputerReEnrolment: '{who} allowed {Computer} to enrol again',
  forbidComputerReEnrolment: '{who} withdrew the re-enrolment code of {Computer}',
  revokeAgentCredential: '{who} shut out the agent of {Computer}',
  confirmQuarantinedAgent: '{who} confirmed an agent in quarantine',
  rejectQuarantinedAgent: '{who} rejected an agent in quarantine',
  designateAgentPackage: '{who} designated {Package} as the agent of new computers',
  withdrawAgentPackage: '{who} withdrew the agent package of new computers',

  createWebhook: '{who} created the webhook {name}',
  updateWebhook: '{who} changed the webhook {Webhook}',
  deleteWebhook: '{who} deleted the webhook {Webhook}',
  rotateWebhookSecret: '{who} replaced the secret of the webhook {Webhook}',
  replayWebhook: '{who} had events delivered again to the webhook {Webhook}',

  setBlastRadius: '{who} changed the quotas for destructive actions',
  setFreeze: ({ body }) =>
    body.frozen ? '{who} stopped the hand-out of work: {reason}' : '{who} resumed the hand-out of work',
  approveRequest: '{who} approved a request above the quota',
  denyRequest: '{who} denied a request above the quota',
} satisfies Record<string, AuditSentence>
