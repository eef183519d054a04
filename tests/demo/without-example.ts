import { listValuesOfExplanations } from './explained-values.ts'
import { unseenApprovalValues, unusedApprovalColumns } from './without-approvals.ts'
import { unseenBootValues, unusedBootColumns } from './without-boot.ts'
import { unseenDecisions } from './without-decisions.ts'
import { unseenDeclarations } from './without-declared-packages.ts'
import { unseenStateValues } from './without-desired-state.ts'
import {
  unseenAgentPackageValues,
  unseenAmbiguityValues,
  unseenMasterServer,
  unusedAgentPackageColumns,
  unusedFusionColumns,
} from './without-enrolment.ts'
import { unseenDuplicateNames, unseenGroupValues, unseenRuleValues, unusedRuleColumns } from './without-groups.ts'
import { unseenHealthValues } from './without-health.ts'
import { unseenPreDownloadValues, unusedPreDownloadColumns } from './without-pre-downloads.ts'
import { unseenProviderValues } from './without-provider.ts'
import { unseenRelationValues, unusedRelationColumns } from './without-relations.ts'
import { unseenReportValues, unusedReportColumns } from './without-reports.ts'
import { unseenRolloutValues, unusedRolloutColumns } from './without-rollouts.ts'
import { unseenTrialValues, unusedTrialColumns } from './without-trials.ts'
import { unseenUploadValues, unusedUploadColumns } from './without-uploads.ts'
import { unseenVulnerabilityValues, unusedVulnerabilityColumns } from './without-vulnerabilities.ts'
import { unseenWebhookValues, unusedEventColumns } from './without-webhooks.ts'
import { unseenWingetValues } from './without-winget.ts'

/** Values of answers that neither the data set nor the tour shows each time, by the reason. */
export const unseenValues: Record<string, string[]> = {
  'Needs plans, frozen groups and ambiguous packages: test/catalog': unseenStateValues,
  'Packages that declare what they detect: test/packages/manifest.test.ts, agent/test, test/windows-agent':
    unseenDeclarations,
  'Needs a receiver of webhooks: test/webhooks': unseenWebhookValues,
  'Needs other advisories, agents and time: test/vulnerabilities': unseenVulnerabilityValues,
  'The background makes reports, and the demo sends none: test/reports, test/mail': unseenReportValues,
  'The demo is a healthy installation, in which little waits for a person: test/decisions': unseenDecisions,
  'The tour replaces no secret of a principal that only reads metrics: test/principals': [
    'CreatedPrincipalSecret.metricsToken',
  ],
  'Needs a package that `npm run package` builds: test/agent-installation': unseenAgentPackageValues,
  'Computers with one UUID are depots here: test/enrolment/ambiguous-match.test.ts, test/fleet': unseenAmbiguityValues,
  'A real start makes its own machine the master server: test/depots/master-server.test.ts': unseenMasterServer,
  'Needs the backup command: test/database/backup/same-data.test.ts': ['FirstSteps.lastBackupUtc'],
  'A real service checks itself in the background: test/platform/health': unseenHealthValues,
  'Depends on which agent or depot makes its contact first: test/channels, test/issues': [
    'reportHeartbeat.waitingJobId',
    'StaleInventoryComputer.serialNumber',
    'WorkPower.action=None',
  ],
  'Needs an identity provider: test/principals/provider-tokens.test.ts, test/web, test/command-line':
    unseenProviderValues,
  'Work of simulated computers is over in a moment, and their users choose little: test/self-service': [
    'SoftwareOfComputer.state=Running',
    'UserChoiceReceipt.outcome=TooMany',
  ],
  'Needs a trial that fails, waits, runs, or leaves other things: test/package-trials': unseenTrialValues,
  'The tour replaces the package that is downloaded ahead: test/pre-downloads': unseenPreDownloadValues,
  'Needs an upload of the caller, or an import that is over in a moment: test/package-uploads': unseenUploadValues,
  'Needs a mirror of winget manifests: test/winget': unseenWingetValues,
  'The search of the data set finds others first: test/fleet/search.test.ts': ['FoundPatch.severity=Unrated'],
  'All work may be done already: test/deployments': [
    'SelectionActivation.trackingId',
    'SelectionInstallation.trackingId',
    'SelectionUninstallation.trackingId',
  ],
  'Needs work that has failed and is still due: test/fleet/causes.test.ts, test/rollouts': [
    'PackageRetry.trackingId',
    'TaskRetry.computerCount',
    'TaskRetry.trackingId',
  ],
  'The one request of the demo concerns a group, and waits for somebody or for a day: test/blast-radius':
    unseenApprovalValues,
  'A rollout takes days, failures or people: test/rollouts, test/convergence, test/patch-policies': unseenRolloutValues,
  'Agents of others: test/channels/fusion': [
    'QuarantinedAgent.agentKind=FusionInventory',
    'QuarantinedAgent.agentKind=GLPI',
    'QuarantinedAgent.agentKind=OCS',
    'QuarantinedAgent.matchedBy=SerialNumber',
    'QuarantinedAgent.matchedBy=Uuid',
    'QuarantinedAgent.reportedSerialNumber',
    'UemAgentInventory.agentKind=FusionInventory',
    'UemAgentInventory.agentKind=GLPI',
    'UemAgentInventory.agentKind=OCS',
  ],
  'Needs a credential that is 30 days old, or an agent in quarantine that runs: test/enrolment': [
    'AgentContactAnswer.credential',
    'AgentContactAnswer.quarantined',
  ],
  'Needs a server to download from: test/patches/download.test.ts': [
    'PatchDownloads.trackingIds',
    'PatchFile.progress',
    'PatchFile.sizeBytes',
    'PatchFile.storedUtc',
    'PatchFileStatus=Failed',
    'PatchFileStatus=NotRequested',
    'PatchFileStatus=Pending',
    'PatchFileStatus=Running',
    'PatchFileStatus=Stored',
  ],
  'Lasts for a moment, or comes after several attempts or minutes: test/jobs, test/deployments, test/depots': [
    'DepotSyncHeartbeat=offline',
    'DepotSyncHeartbeat=pending',
    'PackageImportStatus.status=Pending',
    'PackageImportStatus.status=Running',
    'PatchCatalogImportStatus.status=Pending',
    'PatchCatalogImportStatus.status=Running',
    'QueueEntry.createdAtUtc',
    'QueueEntry.id',
    'QueueEntry.progress',
    'QueueEntry.queue',
    'QueueEntry.startedAtUtc',
    'QueueEntry.status',
    'QueueEntry.status=Pending',
    'QueueEntry.status=Running',
    'QueueEntry.subject',
    'Depot.lastResult',
    'Depot.lastStatus=Failed',
    'Depot.lastStatus=Pending',
    'Depot.lastStatus=Running',
    'Depot.lastStatus=Success',
    'SyncDepot.lastStatus=Failed',
    'SyncDepot.lastStatus=Pending',
    'SyncDepot.lastStatus=Running',
    'SyncDepot.lastStatus=Success',
    'SyncJob.status=Pending',
    'SyncJob.status=Running',
    'Task.status=3',
    'TaskAction.errorText',
    'TaskAction.state=Failed',
    'TaskAction.state=Leased',
    'TaskDetails.status=3',
    'UemAgentInventory.duplicateIdentitySeenUtc',
    'reportHeartbeat.wakeUps.address',
    'reportHeartbeat.wakeUps.id',
    'reportHeartbeat.wakeUps.macAddress',
  ],
  'A fleet of sixty computers may have none: test/inventory, test/issues, test/deployments, test/patch-management': [
    'AgentStatus=Silent',
    'AgentStatus=Stale',
    'DiskDrive.driveTypeName=CDRom',
    'DiskDrive.driveTypeName=Network',
    'DiskDrive.driveTypeName=NoRootDirectory',
    'DiskDrive.driveTypeName=Ram',
    'DiskDrive.driveTypeName=Unknown',
    'EmergencyPatchingStatus=NotScanned',
    'EmergencyPatchingStatus=Started',
    'FleetPatch.servicePack',
    'HealthStatus=Healthy',
    'HealthStatus=Warning',
    'PatchDetail.lockedBy',
    'PatchDetail.qNumber',
    'PatchReleaseState=Declined',
    'PatchSeverity=Unrated',
    'PatchStatusDevice.lockedBy',
    'PatchStatusDevice.qNumber',
    'PatchStatusDevice.restartSuggested',
    'ReleaseAge=Unknown',
    'SuspensionMode=MaintenanceMode',
    'SuspensionMode=PresentationMode',
    'SuspensionMode=Suspended',
    'TaskType=Reboot',
    'TimelineKind=Reboot',
    'WorkItem.kind=Refresh',
    'TaskAction.kind=Update',
    'WorkItem.kind=Update',
  ],
  'What blocks work changes with every contact: test/explain': listValuesOfExplanations(),
  'Needs an import by an earlier version, or conflicts: test/deployments, test/hand-out': unseenRelationValues,
  'Names that only their form distinguishes, which earlier versions accepted: test/fleet/duplicates.test.ts':
    unseenDuplicateNames,
  'Results that are sent again, after a crash: test/channels/agent': [
    'ContactResultReceipt.outcome=Ignored',
    'ContactResultReceipt.outcome=Unknown',
    'AgentContactAnswer.withdrawn',
  ],
  'Needs a hostile or broken agent: test/patch-management/hostile-scans.test.ts': ['PatchScanReceipt.message'],
  'Rules with other criteria, and rules that have stopped: test/groups/group-rules.test.ts': unseenRuleValues,
  'Groups of a special kind, and packages that groups have already: test/groups, test/assignments': unseenGroupValues,
  'Needs a computer that boots over the network: test/channels/pxe/boot-grants.test.ts': unseenBootValues,
  'Packages that were damaged or withdrawn: test/packages, test/os-deployment': [
    'OsDeploymentCondition=MacAddress',
    'OsDeploymentCondition=OsImageReadyToInstall',
    'OsDeploymentCondition=PxeBootImageReadyToInstall',
    'Package.hashState=Mismatch',
    'Package.hashState=None',
    'PackageSummary.hashState=Mismatch',
    'PackageSummary.hashState=None',
    'PackageVersion.hashState=Mismatch',
    'PackageVersion.hashState=None',
  ],
  'The schema shares its properties or values with others that use them': [
    'CatalogVariable.kind=UserDefined',
    'CreateLocalPrincipalResponse.lastUsedUtc',
    'CreatedEnrolmentToken.revokedAtUtc',
    'VariableValueSource=package',
    'WorkPackage.kind=AgentTemplate',
    'WorkPackage.kind=LanguagePack',
    'WorkPackage.kind=OperatingSystem',
    'WorkPackage.kind=PxeBootImage',
  ],
  'Needs a package on thousands of computers: test/fleet/package-counts.test.ts': [
    'PackageSummary.deploymentsCountedUtc',
    'PackageVersion.deploymentsCountedUtc',
  ],
  'Needs an activation of thousands of computers: test/deployments/sliced-activation.test.ts': [
    'TaskDetails.preparation',
    ...['completed', 'computers', 'state', 'withdrawn'].map((name) => `TaskPreparation.${name}`),
    ...['Cancelled', 'Completed', 'Failed', 'Running'].map((state) => `TaskPreparation.state=${state}`),
  ],
}

const unusedStartColumns = ['installation.bootstrapped_at', 'principals.is_protected']

/** Columns without a value beside their default, by the reason. `table.*` means all columns of a table. */
export const unusedColumns: Record<string, string[]> = {
  'No package fails on so many computers: test/decisions': ['fleet_statistics.failing_packages'],
  'A rollout takes days, failures or people: test/rollouts, test/convergence, test/patch-policies':
    unusedRolloutColumns,
  'Needs a package that `npm run package` builds: test/agent-installation': unusedAgentPackageColumns,
  'Needs an agent that matches several computers: test/enrolment': ['quarantined_agents.confirmed_computer_id'],
  'The background makes reports, and the demo sends none: test/reports, test/mail': unusedReportColumns,
  'Needs other advisories and time: test/vulnerabilities': unusedVulnerabilityColumns,
  'Needs a receiver, and rows that others have taken: test/webhooks, test/events': unusedEventColumns,
  'Needs the background task, and people who remove members: test/groups/group-rules.test.ts': unusedRuleColumns,
  'Needs the backup command: test/database/backup/same-data.test.ts': ['last_backup.*'],
  'Agents of others: test/channels/fusion': unusedFusionColumns,
  'Somebody has to approve, exceed a quota or freeze everything: test/blast-radius': unusedApprovalColumns,
  'Needs a trial that fails: test/package-trials': unusedTrialColumns,
  'Packages that an earlier version has imported: test/deployments/required-packages.test.ts': unusedRelationColumns,
  'Few downloads before their time fail: test/pre-downloads': unusedPreDownloadColumns,
  'Needs a request that sends bytes now: test/package-uploads': unusedUploadColumns,
  'Needs a computer that boots over the network: test/channels/pxe/boot-grants.test.ts': unusedBootColumns,
  'Needs people in a browser, limits or keys of callers: test/web, test/platform': [
    'idempotency_keys.*',
    'rate_limits.*',
    'sessions.*',
    'sign_in_links.*',
  ],
  'Needs a key file, a rotation or an export: test/platform/keys, test/audit/audit-anchors.test.ts': [
    'audit_anchors.*',
    'repeated_requests.*',
    'server_keys.generation',
    'server_keys.key_file_id',
    'signing_keys.key_file_id',
  ],
  'Needs a start of the service: test/principals/first-administrator.test.ts, test/depots': unusedStartColumns,
  'Needs a server to download from: test/patches/download.test.ts': ['patch_contents.*'],
  'Needs an advisory: test/patches/advisories-and-scans.test.ts': [
    'patch_components.*',
    'patch_document_fixes.*',
    'patches.publisher',
  ],
  'Needs patches that no catalog names, or a hostile agent: test/patch-management/hostile-scans.test.ts': [
    'computer_patches.reported_key',
    'computer_patches.reported_product',
    'patch_links.reported_by',
    'patch_scans.ignored_patches',
  ],
  'One row or one value by design': [
    'fleet_gauges.id',
    'fleet_statistics.combinations',
    'fleet_statistics.id',
    'fleet_statistics.patch_compliance',
    'installation.is_depot_topology_active',
    'installation.singleton',
    'patch_catalog.id',
  ],
  'Lasts for a moment, or comes after several attempts: test/jobs, test/wake-on-lan, test/deployments': [
    'background_jobs.attempts',
    'task_count_changes.*',
    'task_failure_changes.*',
    'wake_calls.*',
    'wake_requests.attempts',
    'wake_requests.depot_id',
    'wake_requests.retry_at',
    'wake_requests.sent_at',
    'work.leased_until',
    'work.run_id',
  ],
  'Needs an agent that enrols again, or 30 days: test/enrolment': [
    'agents.next_secret_hash',
    'quarantined_agents.serial_number',
    're_enrolment_codes.used_at',
  ],
  'The data set has one kind only: test/packages, test/patches, test/distribution, test/deployments': [
    'activations.software',
    'distribution_options.class_id',
    'packages.hash_state',
    'patch_imports.unchanged',
    'patch_imports.without_fix',
    'patch_links.link_items',
    'patches.is_known_by_scan_only',
  ],
  'Needs a package on thousands of computers: test/fleet/package-counts.test.ts': ['package_counts.*'],
  'Few patches of Linux are locked: test/patch-management/scan.test.ts': ['computer_patches.locked_by'],
  'Needs an activation of thousands of computers: test/deployments/sliced-activation.test.ts': ['sliced_activations.*'],
  'Needs more agents than the service can serve at once: test/channels/agent/hand-out-turns.test.ts': [
    'hand_out_turns.*',
  ],
}
