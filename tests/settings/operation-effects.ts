import type { Effects } from './effects.ts'

/** The settings of operations. */
export const operationEffects: Effects = {
  // Access
  'upsertPrincipal, updatePrincipal': {
    'roles[]':
      'server/test/principals/provider-tokens.test.ts: a program can call the API for a known user, with the roles of the user',
    issuer:
      'server/test/principals/principals.test.ts: principals differ if their subject type, subject id or issuer differs',
    displayName:
      'server/test/principals/provider-tokens.test.ts: a program can call the API for a known user, with the roles of the user',
  },
  upsertPrincipal: {
    'isUser, subjectId':
      'server/test/principals/provider-tokens.test.ts: a known client can call the API with a token that the provider issued to it',
  },
  'createLocalPrincipal, updateLocalPrincipal': {
    'roles[]':
      'server/test/principals/local-principals.test.ts: updating a local principal takes effect with its next request',
    expiresAtUtc:
      'server/test/principals/local-principals.test.ts: a local principal can be created with an expiry in the past, and is then expired',
  },
  setLocalPrincipalRevoked: {
    isRevoked:
      'server/test/principals/local-principals.test.ts: the tokens of a revoked principal are refused at once, and are valid again after it is restored',
  },

  createLocalPrincipalSecret: {
    previousValidHours:
      'server/test/principals/secrets.test.ts: while a secret is replaced, the old and the new one are valid, and the old one ends in time',
  },

  // Webhooks
  'createWebhook, updateWebhook': {
    'types[]':
      'server/test/webhooks/webhooks.test.ts: events that the filter selects are posted in order, as CloudEvents with the signature of Standard Webhooks',
    url: 'server/test/webhooks/webhooks.test.ts: a name that resolves to an address of a private network is refused when something is sent',
  },
  createWebhook: {
    computerId: 'server/test/webhooks/webhooks.test.ts: a webhook of one computer gets only events about it',
  },
  updateWebhook: {
    isPaused:
      'server/test/webhooks/webhooks.test.ts: what fails is sent again later, in order, and after three days of failures the webhook is paused',
  },
  replayWebhook: { after: 'server/test/webhooks/webhooks.test.ts: a replay delivers events again with the same ids' },

  // Computers and groups
  'createComputer, updateComputer': {
    'name, domain, isDomain, ou, ipAddress, subnetMask, standardGateway':
      'server/test/channels/pxe/installation.test.ts: an installer gets domain, OU, static address, mask and gateway of its computer',
    macAddress:
      'server/test/deployments/activation-request.test.ts: wolNow wakes computers now, except those without a MAC address',
    uuid: 'server/test/enrolment/enrolment.test.ts: an enrolment prefers a matching UUID to a MAC address, and a MAC address to a name',
    'pxeSupport, serialNumber':
      'server/test/computers/search-computers.test.ts: the criteria %j match only the computer with these values',
    inventoryId:
      'server/test/inventory/system-and-security.test.ts: the system info has the reported values and those with which the computer was created',
  },
  updateComputer: {
    custom: 'server/test/computers/delta-synchronisation.test.ts: modifiedAfter finds every change of $field by $way',
  },
  updateCustomField: {
    isActive: 'server/test/computers/custom-values.test.ts: the value of a slot is kept while the slot is inactive',
  },
  'createGroup, updateGroup': {
    name: 'server/test/groups/list-groups.test.ts: the list can be filtered by a part of the name, regardless of case',
  },
  createGroup: {
    type: 'server/test/groups/members.test.ts: a computer can be in any number of assignment groups besides its configuration group',
    parentId:
      'server/test/deployments/activate-group.test.ts: activating a group creates the work of all computers in its subtree as one task',
  },
  moveGroup: {
    parentId:
      'server/test/fleet/groups.test.ts: a dry run of a move shows what the group gains and loses, and the move does it',
  },
  setGroupKind: {
    kind: 'server/test/groups/group-kind.test.ts: a group of the kind %s keeps its members and cannot be changed',
  },
  setGroupRule: {
    criteria:
      'server/test/groups/rule-criteria.test.ts: computers match a rule by name, domain, system, model, network and tag, and by all of those that it has',
    maxChangesPerHour:
      'server/test/groups/rule-limits.test.ts: a rule stops if more computers would join or leave within an hour than it allows, until it is set again',
  },
  GroupRuleCriteria: {
    'names[], domains[], operatingSystems[], models[], networks[], tags[]':
      'server/test/groups/rule-criteria.test.ts: computers match a rule by name, domain, system, model, network and tag, and by all of those that it has',
  },
  addGroupComputers: {
    'computerIds[]':
      'server/test/groups/members.test.ts: adding returns a result for each computer, in the order of the request',
  },

  // Blast radius
  setBlastRadius: {
    apiQuota:
      'server/test/blast-radius/quota.test.ts: each computer that a destructive action affects counts, on every node, until an hour has passed',
    consoleQuota: 'server/test/blast-radius/quota.test.ts: a caller in the console has the quota of the console',
  },
  setFreeze: {
    frozen:
      'server/test/blast-radius/freeze.test.ts: the first contact after a freeze gets no work, on every node, and the first one after it gets the work',
    reason:
      'server/test/blast-radius/freeze.test.ts: a freeze shows who has frozen the installation, since when and why, to everybody with a token',
  },

  // Enrolment
  createEnrolmentToken: {
    groupId:
      'server/test/enrolment/enrolment.test.ts: an enrolment puts the computer into the group of the token unless it is in a configuration group already',
    maxUses: 'server/test/enrolment/enrolment.test.ts: of 50 concurrent enrolments as many succeed as the token allows',
    expiresAtUtc:
      'server/test/enrolment/enrolment.test.ts: an enrolment with an unknown, expired, revoked or used-up token is refused the same way, without effect',
  },
  allowComputerReEnrolment: {
    untilUtc:
      'server/test/enrolment/take-over.test.ts: a code is refused for another computer, after it was withdrawn, replaced or has expired',
  },

  confirmQuarantinedAgent: {
    clientId:
      'server/test/enrolment/ambiguous-match.test.ts: a person decides which computer an ambiguous agent runs on, and the agent then takes up its work',
  },
  designateAgentPackage: {
    packageId:
      'server/test/agent-installation/designation.test.ts: a released package with the name of the agent is an ordinary package until an administrator designates it',
    contentHash:
      'server/test/agent-installation/designation.test.ts: an administrator designates only what they have seen',
  },

  // Packages
  importPackage: {
    folderPath:
      'server/test/packages/import.test.ts: a folder with a manifest becomes a package with the hash of every file',
    overwrite:
      'server/test/packages/import.test.ts: overwrite replaces the content and keeps the id, the assignments and the tags',
  },
  'createTag, updateTag': {
    designation:
      'server/test/tags/tags.test.ts: the packages of a tag are found by its id and by its designation in any case',
  },
  setPackageTags: {
    'tagIds[]':
      'server/test/packages/packages.test.ts: a search by version, kind and tag finds packages that match all of them',
  },
  retryPackage: {
    causeId:
      'server/test/fleet/causes.test.ts: a retry creates the failed work of one cause again, and of nothing else',
  },
  setReadyToInstall: { operational: 'server/test/channels/agent/hand-out.test.ts: work is not leased %s' },

  // Assignments
  assignGroupPackage: {
    packageId:
      'tests/end-to-end/deployment.test.ts: real agents install, reinstall and remove a package that is assigned over the API',
  },
  replacePackage: {
    'oldPackageId, newPackageId':
      'server/test/assignments/package-replacement.test.ts: the new package replaces the old one in every group that has it directly',
    copyDistributionOptions:
      'server/test/assignments/package-replacement.test.ts: a replacement without copyDistributionOptions copies no distribution options',
  },
  'assignGroupPxeBootImage, assignGroupOsImageSku, assignGroupAgentTemplate': {
    skipIfInherited:
      'server/test/assignments/single-assignments.test.ts: with skipIfInherited nothing is stored if the group inherits the same object',
  },
  assignGroupPxeBootImage: {
    pxeId:
      'server/test/channels/pxe/boot-script.test.ts: the script boots the image with everything that the installer needs',
  },
  assignGroupOsImageSku: {
    packageId:
      'server/test/assignments/single-assignments.test.ts: assigning a SKU of another operating system is answered with 404',
    skuId:
      'server/test/assignments/effective.test.ts: the edition of the nearest group is effective, and is shown with the properties of its image',
  },
  assignGroupAgentTemplate: {
    packageId:
      'server/test/channels/agent/contact.test.ts: settings come from the effective template, and only when the agent does not have them',
  },
  assignGroupLanguagePack: {
    packageId:
      'server/test/channels/pxe/installation.test.ts: language packs are handed to the installer, with their files',
  },
  assignGroupSoftwareClass: {
    classId:
      'server/test/deployments/activate-computer.test.ts: packages of a software class are published with the options of the group to which the class is assigned',
  },

  // Deployments
  setDistributionOptions: {
    'distCommands, commands[], revokeCount, revokeDate, optionalDate':
      'server/test/deployments/activate-computer.test.ts: work has the options of the group with the winning assignment',
    'scheduleString, schedule.until':
      'server/test/deployments/activate-computer.test.ts: work waits for the window of its schedule, or forever if no window follows',
    'schedule.cron, schedule.timeZone, schedule.from':
      'server/test/distribution/options-in-use.test.ts: each property of a schedule determines when it next opens: %j',
    'schedule.durationMinutes':
      'server/test/channels/agent/hand-out.test.ts: work whose window has ended moves to the next window',
    wol: 'server/test/deployments/activation-request.test.ts: distribution options can request a wake-up for the time when their work may begin',
  },
  'activateComputer, activateGroup': {
    software:
      'server/test/deployments/activate-group.test.ts: activating a group creates the work of all computers in its subtree as one task',
    pxe: 'server/test/deployments/activation-request.test.ts: pxe creates work for the operating system and pre-OS packages, and the computer shows it',
    pull: 'server/test/channels/fusion/partial.test.ts: an inventory that a user requests is asked for at the next contact, and closes the work',
    wol: 'server/test/deployments/activation-request.test.ts: wol requests one wake-up at its time, and the final power action waits for it',
    wolNow:
      'server/test/deployments/activation-request.test.ts: wolNow wakes computers now, except those without a MAC address',
    'srl.action, srl.timeoutMinutes, srl.reminderMinutes':
      'server/test/deployments/activation-request.test.ts: srl creates the final power action and wakes the computer now',
    global:
      'server/test/deployments/activate-group.test.ts: group activation and deactivation without global apply only to groups of the subtree',
  },
  confirmOsInstallation: {
    address:
      'server/test/channels/pxe/boot-grants.test.ts: a person sees which addresses have asked and reported, and can confirm a report',
  },
  uninstallSoftware: {
    packageId:
      'server/test/deployments/uninstall-software.test.ts: uninstalling sets Uninstall in the options of the nearest assignment and activates only this computer',
  },
  requestSoftwareReinstall: {
    packageId:
      'server/test/deployments/reinstall.test.ts: the work of a reinstall is forced, ignores the schedule, and belongs to a task of its own',
  },
  rescanComputer: {
    scanType: 'server/test/deployments/rescan.test.ts: a scan uses the nearest of several scan packages',
  },
  activateComputers: {
    'computerIds[]':
      'server/test/deployments/selection.test.ts: the activation of a selection creates the work of all its computers as one task, and counts what it creates',
    wolNow: 'server/test/deployments/selection.test.ts: the activation of a selection wakes its computers on request',
  },
  rebootComputers: {
    'computerIds[], timeoutMinutes, reminderMinutes':
      'server/test/deployments/selection.test.ts: a restart of a selection is one task, skips computers without a group, and changes the minutes of waiting requests',
  },
  rescanComputers: {
    'computerIds[]':
      'server/test/deployments/selection.test.ts: a rescan of a selection asks each computer once for its inventory, as one task',
  },
  addComputersToGroup: {
    'computerIds[]':
      'server/test/deployments/selection.test.ts: a selection becomes members of a group, with counts of those that do not',
  },
  rebootComputer: {
    'timeoutMinutes, reminderMinutes':
      'server/test/channels/agent/power-work.test.ts: a requested reboot is leased at the next contact, alone and before other work that is due',
  },

  // Patches
  importPatchCatalog: {
    folderPath: 'server/test/patches/import.test.ts: an imported advisory becomes a patch with all its details',
    format:
      'server/test/patches/import-catalog.test.ts: a catalog in the Muster format adds details to advisories and takes precedence over them',
  },
  'createPmGroup, updatePmGroup': {
    'name, description':
      'server/test/patch-management/pm-groups.test.ts: PM groups are found by a part of their texts, their category, a patch and an assigned group',
  },
  createPmGroup: {
    category:
      'server/test/patch-management/pm-groups.test.ts: PM groups are found by a part of their texts, their category, a patch and an assigned group',
  },
  addPmGroupPatches: {
    'patchId, patchIds[]':
      'server/test/patch-management/remediation.test.ts: a scan that finds an approved patch of a PM group missing makes the fix package due for exactly this patch',
    productId:
      'server/test/patch-management/remediation.test.ts: approving a patch for another product releases nothing',
  },
  assignPmGroup: {
    'treeId, isTestAssignment':
      'server/test/patch-management/remediation.test.ts: a test assignment releases a patch before its approval, other assignments only after it',
  },
  startEmergencyPatching: {
    'computerIds[]':
      'server/test/patch-management/emergency.test.ts: emergency patching makes the patches due on the chosen computers and on no others',
  },

  // Variables
  'setComputerVariable, setGroupVariable': {
    value:
      'server/test/variables/inheritance.test.ts: each stronger source of a value overrides the weaker ones for a computer',
    schedule:
      'server/test/variables/inheritance.test.ts: a value from any source is without effect before the time of its schedule',
  },
  setGroupVariable: {
    forced:
      'server/test/variables/inheritance.test.ts: each stronger source of a value overrides the weaker ones for a computer',
  },
  'createComputerCollectionEntry, updateComputerCollectionEntry, createGroupCollectionEntry, updateGroupCollectionEntry':
    {
      values:
        'server/test/channels/agent/work-variables.test.ts: the nearest owner of entries decides the whole collection',
    },
  assignGroupVariableConfiguration: {
    configId:
      'server/test/variables/inheritance.test.ts: each stronger source of a value overrides the weaker ones for a computer',
  },

  // Depots
  setGroupDepotServers: {
    'depotServers[], []':
      'server/test/depots/depots-of-computer.test.ts: a computer tries the depots of the nearest group that has a failover list, in the order of the list',
  },
  assignDepotTag: {
    tagId:
      'server/test/channels/depot/depot-channel.test.ts: a depot needs all packages while the topology is inactive, and those with its tags or Global while it is active',
  },
  setDepotTopologySetting: {
    isActive:
      'server/test/channels/depot/depot-channel.test.ts: a depot needs all packages while the topology is inactive, and those with its tags or Global while it is active',
  },
  triggerSyncJob: {
    'depotClientIds[]':
      'server/test/channels/depot/depot-channel.test.ts: a depot gets a triggered job, runs it and reports its result',
  },
}
