import type { Effects } from './effects-type.ts'

/** The settings of operations. */
export const operationEffects: Effects = {
  // Access
  'upsertPrincipal, updatePrincipal': {
    'roles[]':
      'principals/provider-tokens.test.ts: a program can call the API for a known user, with the roles of the user',
    issuer: 'principals/principals.test.ts: principals differ if their subject type, subject id or issuer differs',
    displayName:
      'principals/provider-tokens.test.ts: a program can call the API for a known user, with the roles of the user',
  },
  upsertPrincipal: {
    'isUser, subjectId':
      'principals/provider-tokens.test.ts: a known client can call the API with a token that the provider issued to it',
  },
  'createLocalPrincipal, updateLocalPrincipal': {
    'roles[]': 'principals/local-principals.test.ts: updating a local principal takes effect with its next request',
    expiresAtUtc:
      'principals/local-principals.test.ts: a local principal can be created with an expiry in the past, and is then expired',
  },
  setLocalPrincipalRevoked: {
    isRevoked:
      'principals/local-principals.test.ts: the tokens of a revoked principal are refused at once, and are valid again after it is restored',
  },

  createLocalPrincipalSecret: {
    previousValidHours:
      'principals/secrets.test.ts: while a secret is replaced, the old and the new one are valid, and the old one ends in time',
  },

  // Webhooks
  'createWebhook, updateWebhook': {
    'types[]':
      'webhooks/webhooks.test.ts: events that the filter selects are posted in order, as CloudEvents with the signature of Standard Webhooks',
    url: 'webhooks/webhooks.test.ts: a name that resolves to an address of a private network is refused when something is sent',
  },
  createWebhook: {
    computerId: 'webhooks/webhooks.test.ts: a webhook of one computer gets only events about it',
  },
  updateWebhook: {
    isPaused:
      'webhooks/webhooks.test.ts: what fails is sent again later, in order, and after three days of failures the webhook is paused',
  },
  replayWebhook: { after: 'webhooks/webhooks.test.ts: a replay delivers events again with the same ids' },

  // Computers and groups
  'createComputer, updateComputer': {
    'name, domain, isDomain, ou, ipAddress, subnetMask, standardGateway':
      'channels/pxe/installation.test.ts: an installer gets domain, OU, static address, mask and gateway of its computer',
    macAddress:
      'deployments/activation-request.test.ts: wolNow wakes computers now, except those without a MAC address',
    uuid: 'enrolment/enrolment.test.ts: an enrolment prefers a matching UUID to a MAC address, and a MAC address to a name',
    pxeSupport:
      'os-deployment/other-hardware.test.ts: a computer that does not support PXE is neither ready nor activated nor booted',
    serialNumber:
      'channels/fusion/identity.test.ts: an existing computer is found by its UUID, its serial number, its MAC address or its name',
    inventoryId:
      'inventory/system-and-security.test.ts: the system info has the reported values and those with which the computer was created',
  },
  updateCustomField: {
    isActive: 'computers/custom-values.test.ts: the value of a slot is kept while the slot is inactive',
  },
  'createGroup, updateGroup': {
    name: 'assignments/effective.test.ts: between assignment groups at equal distance the path that sorts first by bytes wins',
  },
  createGroup: {
    type: 'groups/members.test.ts: a computer can be in any number of assignment groups besides its configuration group',
    parentId:
      'deployments/activate-group.test.ts: activating a group creates the work of all computers in its subtree as one task',
  },
  moveGroup: {
    parentId:
      'group-moves/move-group.test.ts: a dry run of a move shows what the group gains and loses, and the move does it',
  },
  setGroupKind: {
    kind: 'groups/group-kind.test.ts: a group of the kind %s keeps its members and cannot be changed',
  },
  setGroupRule: {
    criteria:
      'groups/rule-criteria.test.ts: computers match a rule by name, domain, system, model, network and tag, and by all of those that it has',
    maxChangesPerHour:
      'groups/rule-limits.test.ts: a rule stops if more computers would join or leave within an hour than it allows, until it is set again',
  },
  GroupRuleCriteria: {
    'names[], domains[], operatingSystems[], models[], networks[], tags[]':
      'groups/rule-criteria.test.ts: computers match a rule by name, domain, system, model, network and tag, and by all of those that it has',
  },
  addGroupComputers: {
    'computerIds[]': 'groups/members.test.ts: adding returns a result for each computer, in the order of the request',
  },

  // Blast radius
  setBlastRadius: {
    apiQuota:
      'blast-radius/quota.test.ts: each computer that a destructive action affects counts, on every node, until an hour has passed',
    consoleQuota: 'blast-radius/quota.test.ts: a caller in the console has the quota of the console',
  },
  setFreeze: {
    frozen:
      'blast-radius/freeze.test.ts: the first contact after a freeze gets no work, on every node, and the first one after it gets the work',
    reason:
      'blast-radius/freeze.test.ts: a freeze shows who has frozen the installation, since when and why, to everybody with a token',
  },

  // Enrolment
  createEnrolmentToken: {
    groupId:
      'enrolment/enrolment.test.ts: an enrolment puts the computer into the group of the token unless it is in a configuration group already',
    maxUses: 'enrolment/enrolment.test.ts: of 50 concurrent enrolments as many succeed as the token allows',
    expiresAtUtc:
      'enrolment/enrolment.test.ts: an enrolment with an unknown, expired, revoked or used-up token is refused the same way, without effect',
  },
  allowComputerReEnrolment: {
    untilUtc:
      'enrolment/take-over.test.ts: a code is refused for another computer, after it was withdrawn, replaced or has expired',
  },

  confirmQuarantinedAgent: {
    clientId:
      'enrolment/ambiguous-match.test.ts: a person decides which computer an ambiguous agent runs on, and the agent then takes up its work',
  },
  designateAgentPackage: {
    packageId:
      'agent-installation/designation.test.ts: a released package with the name of the agent is an ordinary package until an administrator designates it',
    contentHash: 'agent-installation/designation.test.ts: an administrator designates only what they have seen',
  },

  // Packages
  addRepositoryPackage: {
    'source.package, source.version, source.minVersion, source.repository.url, source.repository.suite, source.repository.components[], source.repository.key, source.keepVersion, source.allowDowngrade, source.timeLimitMinutes':
      'packages/repository-packages.test.ts: a package of a repository is made without a file, and work on it has its source and no command',
    'displayName, name, version, description, category, operatingSystems[], overwrite':
      'packages/repository-packages.test.ts: name, version, category and systems of such a package can be chosen, and a second one needs overwrite',
    'author, revision, onlyFor, requires[], conflicts[], supersedes[].name, supersedes[].uninstallFirst, variables[].variable, variables[].value':
      'package-uploads/recipes.test.ts: a package of a repository may have relations, conditions and variables, and is the same as its recipe then',
  },
  importPackage: {
    folderPath: 'packages/import.test.ts: a folder with a manifest becomes a package with the hash of every file',
    overwrite: 'packages/import.test.ts: overwrite replaces the content and keeps the id, the assignments and the tags',
  },
  'createTag, updateTag': {
    designation:
      'groups/rule-criteria.test.ts: computers match a rule by name, domain, system, model, network and tag, and by all of those that it has',
  },
  setPackageTags: {
    'tagIds[]':
      'channels/depot/depot-channel.test.ts: a depot needs all packages while the topology is inactive, and those with its tags or Global while it is active',
  },
  retryPackage: {
    causeId: 'fleet/causes.test.ts: a retry creates the failed work of one cause again, and of nothing else',
  },
  setReadyToInstall: { operational: 'hand-out/hand-out.test.ts: work is not leased %s' },

  // Package requests
  approvePackageRequest: {
    'packageId, answer':
      'self-service/package-requests.test.ts: an approved request brings the package to the computer at its next contact, and to no other',
  },
  declinePackageRequest: {
    answer: 'self-service/package-requests.test.ts: a declined request says why, and brings nothing',
  },

  // Assignments
  assignGroupPackage: {
    packageId:
      'tests/end-to-end/deployment.test.ts: real agents install, reinstall and remove a package that is assigned over the API',
  },
  replacePackage: {
    'oldPackageId, newPackageId':
      'assignments/package-replacement.test.ts: the new package replaces the old one in every group that has it directly',
    copyDistributionOptions:
      'assignments/package-replacement.test.ts: a replacement without copyDistributionOptions copies no distribution options',
  },
  'assignGroupPxeBootImage, assignGroupOsImageSku, assignGroupAgentTemplate': {
    skipIfInherited:
      'assignments/single-assignments.test.ts: with skipIfInherited nothing is stored if the group inherits the same object',
  },
  assignGroupPxeBootImage: {
    pxeId: 'channels/pxe/boot-script.test.ts: the script boots the image with everything that the installer needs',
  },
  assignGroupOsImageSku: {
    packageId:
      'assignments/single-assignments.test.ts: assigning a SKU of another operating system is answered with 404',
    skuId:
      'assignments/effective.test.ts: the edition of the nearest group is effective, and is shown with the properties of its image',
  },
  assignGroupAgentTemplate: {
    packageId:
      'channels/agent/contact.test.ts: settings come from the effective template, and only when the agent does not have them',
  },
  assignGroupLanguagePack: {
    packageId: 'channels/pxe/installation.test.ts: language packs are handed to the installer, with their files',
  },
  assignGroupSoftwareClass: {
    classId:
      'deployments/activate-computer.test.ts: packages of a software class are published with the options of the group to which the class is assigned',
  },

  // Deployments
  setDistributionOptions: {
    'distCommands, commands[], revokeCount, revokeDate, optionalDate':
      'deployments/activate-computer.test.ts: work has the options of the group with the winning assignment',
    'scheduleString, schedule.until':
      'deployments/activate-computer.test.ts: work waits for the window of its schedule, or forever if no window follows',
    'schedule.cron, schedule.timeZone, schedule.from':
      'distribution/options-in-use.test.ts: each property of a schedule determines when it next opens: %j',
    'schedule.durationMinutes': 'hand-out/hand-out.test.ts: work whose window has ended moves to the next window',
    userDeadline:
      'distribution/user-deadlines.test.ts: the hours of a deadline count from the first hand-out, and an agent gets what it has to respect',
    preDownload:
      'pre-downloads/pre-downloads.test.ts: the option of an assignment reaches its work, and its change reaches waiting work at the next activation',
    wol: 'deployments/activation-request.test.ts: distribution options can request a wake-up for the time when their work may begin',
  },
  UserDeadline: {
    'afterHours, closePrograms[], noticeMinutes, quietHours.start, quietHours.end':
      'distribution/user-deadlines.test.ts: the hours of a deadline count from the first hand-out, and an agent gets what it has to respect',
    latestUtc:
      'distribution/user-deadlines.test.ts: handing the work out again does not move its deadline, and the earlier of both limits counts',
    maxPostponements:
      'distribution/user-deadlines.test.ts: postponements end with their number, other delays with the deadline alone',
  },
  'activateComputer, activateGroup': {
    software:
      'deployments/activate-group.test.ts: activating a group creates the work of all computers in its subtree as one task',
    pxe: 'deployments/activation-request.test.ts: pxe creates work for the operating system and pre-OS packages, and the computer shows it',
    pull: 'channels/fusion/partial.test.ts: an inventory that a user requests is asked for at the next contact, and closes the work',
    wol: 'deployments/activation-request.test.ts: wol requests one wake-up at its time, and the final power action waits for it',
    wolNow: 'deployments/activation-request.test.ts: wolNow wakes computers now, except those without a MAC address',
    'srl.action, srl.timeoutMinutes, srl.reminderMinutes':
      'deployments/activation-request.test.ts: srl creates the final power action and wakes the computer now',
    'srl.userDeadline':
      'deployments/power-deadline.test.ts: the person at the computer can delay the power action of an activation until its deadline, as any other restart',
    global:
      'deployments/activate-group.test.ts: group activation and deactivation without global apply only to groups of the subtree',
  },
  confirmOsInstallation: {
    address:
      'channels/pxe/boot-grants.test.ts: a person sees which addresses have asked and reported, and can confirm a report',
  },
  uninstallSoftware: {
    packageId:
      'deployments/uninstall-software.test.ts: uninstalling sets Uninstall in the options of the nearest assignment and activates only this computer',
  },
  requestSoftwareReinstall: {
    packageId:
      'deployments/reinstall.test.ts: the work of a reinstall is forced, ignores the schedule, and belongs to a task of its own',
  },
  rescanComputer: {
    scanType: 'deployments/rescan.test.ts: a scan uses the nearest of several scan packages',
  },
  activateComputers: {
    'computerIds[]':
      'deployments/selection.test.ts: the activation of a selection creates the work of all its computers as one task, and counts what it creates',
    wolNow: 'deployments/selection.test.ts: the activation of a selection wakes its computers on request',
  },
  rebootComputers: {
    'computerIds[], timeoutMinutes, reminderMinutes':
      'deployments/selection.test.ts: a restart of a selection is one task, skips computers without a group, and changes the minutes of waiting requests',
    userDeadline:
      'distribution/user-deadlines.test.ts: a requested reboot with a deadline may be postponed until then, for one computer or for many',
  },
  rescanComputers: {
    'computerIds[]':
      'deployments/selection.test.ts: a rescan of a selection asks each computer once for its inventory, as one task',
  },
  addSelectionToGroup: {
    'computerIds[]':
      'deployments/selection.test.ts: a selection becomes members of a group, with counts of those that do not',
  },
  rebootComputer: {
    'timeoutMinutes, reminderMinutes':
      'channels/agent/power-work.test.ts: a requested reboot is leased at the next contact, alone and before other work that is due',
    userDeadline:
      'distribution/user-deadlines.test.ts: a requested reboot with a deadline may be postponed until then, for one computer or for many',
  },

  // Patches
  importPatchCatalog: {
    folderPath: 'patches/import.test.ts: an imported advisory becomes a patch with all its details',
    format:
      'patches/import-catalog.test.ts: a catalog in the Muster format adds details to advisories and takes precedence over them',
  },
  addPmGroupPatches: {
    'patchId, patchIds[]':
      'patch-management/remediation.test.ts: a scan that finds an approved patch of a PM group missing makes the fix package due for exactly this patch',
    productId: 'patch-management/remediation.test.ts: approving a patch for another product releases nothing',
  },
  assignPmGroup: {
    'treeId, isTestAssignment':
      'patch-management/remediation.test.ts: a test assignment releases a patch before its approval, other assignments only after it',
  },
  startEmergencyPatching: {
    'computerIds[]':
      'patch-management/emergency.test.ts: emergency patching makes the patches due on the chosen computers and on no others',
  },
}
