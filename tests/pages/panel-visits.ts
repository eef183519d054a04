import {
  check,
  confirm,
  designatedAgents,
  failedWork,
  fill,
  missingFiles,
  ownUploads,
  type PanelVisit,
  refetch,
  reportedInstallation,
  type Step,
} from './panel-steps.ts'

const at = (path: string | PanelVisit['path'], ...steps: Step[]): PanelVisit => ({
  path: typeof path === 'string' ? () => path : path,
  steps,
})

const computer = (...steps: Step[]) => at(({ computer }) => `/computers/${computer}`, ...steps)
const failingPackageOf = (...steps: Step[]) =>
  at(({ computer, failingPackage }) => `/computers/${computer}/software?why=${failingPackage}`, ...steps)
const computers = (...steps: Step[]) =>
  at('/computers', ({ page }) => page.locator('tr[data-index]').first().press('Space'), ...steps)
const group = (...steps: Step[]) => at(({ group }) => `/groups/${group}`, ...steps)
const groupTab = (tab: string, ...steps: Step[]) => at(({ group }) => `/groups/${group}/${tab}`, ...steps)
const ruledGroup = (...steps: Step[]) => at(({ ruledGroup }) => `/groups/${ruledGroup}`, ...steps)
const aPackage = (...steps: Step[]) => at(({ failingPackage }) => `/packages/${failingPackage}`, ...steps)
const upgraded = (...steps: Step[]) => at(({ upgradedPackage }) => `/packages/${upgradedPackage}`, ...steps)
const patchGroup = (...steps: Step[]) => at(({ patchGroup }) => `/patch-groups/${patchGroup}`, ...steps)
const policy = (...steps: Step[]) => at(({ patchPolicy }) => `/patch-policies/${patchPolicy}`, ...steps)
const principal = (...steps: Step[]) => at(({ principal }) => `/admin/principals/local/${principal}`, ...steps)
const webhook = (...steps: Step[]) => at(({ webhook }) => `/admin/webhooks/${webhook}`, ...steps)
const rollout = (...steps: Step[]) => at(({ rollout }) => `/rollouts/${rollout}`, ...steps)

const reports = (...steps: Step[]) => at('/reports', ...steps)
const licences = (...steps: Step[]) => at('/reports/licences', ...steps)
const mailServer = (...steps: Step[]) => at('/reports/mail-server', ...steps)

const [more, moreOfDepot] = ['More actions', /^More actions: /]

/** How each panel and dialog is opened. In this order, because some change what others show. */
export const panelVisits: Record<string, PanelVisit> = {
  'shell/account-menu AccountMenu': at('/admin/roles', 'Account and settings'),
  'shell/help/shortcuts-dialog ShortcutsDialog': at('/admin/roles', 'Help', /Keyboard shortcuts/),
  'shell/palette/palette Palette': at('/admin/roles', ({ page }) => page.keyboard.press('Control+k')),

  'pages/computers/views-menu ViewsMenu': at('/computers', 'Views'),
  'components/table/table-menu TableMenu': at('/computers', 'Columns'),
  'pages/computers/facet-button FacetButton': at('/computers', 'Connection'),
  'pages/computers/create-computer CreatePanel': at('/computers', 'Create computer'),
  'pages/computers/actions/deploy Deploy': computers('Deploy'),
  'pages/computers/actions/install-package InstallPackage': computers('Install package…'),
  'pages/computers/actions/uninstall-package UninstallPackage': computers('Uninstall package…'),
  'pages/computers/actions/restart Restart': computers('Restart'),
  'pages/computers/actions/rescan Rescan': computers('Rescan'),
  'pages/computers/actions/add-to-group AddToGroup': computers(more, 'Add to group'),
  'pages/computers/actions/remove-from-group RemoveFromGroup': computers(more, 'Remove from group'),
  'pages/computers/actions/delete-computers DeleteComputers': computers(more, 'Delete…'),

  'pages/computer/actions/deploy-panel DeployPanel': computer('Deploy'),
  'pages/computer/actions/restart-panel RestartPanel': computer('Restart'),
  'pages/computer/actions/rescan-panel RescanPanel': computer('Rescan'),
  'pages/computer/actions/edit-panel EditPanel': computer(more, 'Edit'),
  'pages/computer/actions/tags-panel TagsPanel': computer(more, 'Edit tags'),
  'pages/computer/actions/reinstall-system-panel ReinstallSystemPanel': computer(more, 'Reinstall operating system'),
  'pages/computer/actions/revoke-agent-panel RevokeAgentPanel': computer(more, 'Revoke agent'),
  'pages/computer/actions/delete-panel DeletePanel': computer(more, 'Delete'),
  'pages/computer/actions/re-enrol-panel ReEnrolPanel': computer(more, 'Re-enrol agent'),
  'pages/computer/actions/re-enrol-panel ReEnrolPanel once': computer(more, 'Re-enrol agent', confirm),
  'pages/computer/actions/retry-package-panel RetryPackagePanel': failingPackageOf('Retry now'),
  'pages/computer/actions/reinstall-package-panel ReinstallPackagePanel': at(
    ({ computer }) => `/computers/${computer}/software`,
    /^PDF Viewer 24.2/,
    /^Reinstall$|^Install now$/,
  ),
  'pages/computer/actions/uninstall-package-panel UninstallPackagePanel': at(
    ({ computer }) => `/computers/${computer}/software`,
    /^PDF Viewer 24.2/,
    'Uninstall',
  ),
  'pages/computer/tabs/variable-panel VariablePanel': at(
    ({ computer }) => `/computers/${computer}/variables`,
    /^Set value: /,
  ),
  'pages/computer/tabs/summary/os-installation ConfirmPanel': at(
    ({ newComputer }) => `/computers/${newComputer}`,
    reportedInstallation,
    /^Confirm the report of /,
  ),

  'pages/groups/panels/assign-panel AssignPanel': group('Assign package'),
  'pages/groups/panels/deploy-panel DeployPanel': group('Deploy'),
  'pages/groups/panels/create-panel CreatePanel': group(more, 'New subgroup'),
  'pages/groups/panels/assign-object-panel AssignObjectPanel': group(more, 'Assign something else'),
  'pages/groups/panels/depots-panel DepotsPanel': group(more, 'Choose depots'),
  'pages/groups/panels/edit-panel EditPanel': group(more, 'Rename or describe'),
  'pages/groups/panels/move-panel MovePanel': group(more, 'Move'),
  'pages/groups/panels/kind-panel KindPanel': group(more, 'Change kind'),
  'pages/groups/panels/delete-panel DeletePanel': group(more, 'Delete'),
  'pages/groups/panels/add-members-panel AddMembersPanel': group('Add computers'),
  'pages/groups/panels/remove-members-panel RemoveMembersPanel': ruledGroup(
    ({ page }) => page.locator('main tbody input[type=checkbox]').first().check(),
    /^Remove \d+ computer/,
  ),
  'pages/groups/panels/rule-panel RulePanel': ruledGroup('Edit rule'),
  'pages/groups/panels/remove-rule-panel RemoveRulePanel': ruledGroup('Remove rule'),
  'pages/groups/panels/convergence-panel ConvergencePanel': groupTab('assignments', 'Change'),
  'pages/groups/panels/remove-assignment-panel RemoveAssignmentPanel': groupTab('assignments', /^Remove Browser/),
  'pages/groups/panels/variable-panel VariablePanel': groupTab('variables', /^Set CostCentre/),
  'pages/groups/panels/unset-variable-panel UnsetVariablePanel': groupTab('variables', /^Unset Vpn.Gateway/),
  'pages/groups/panels/options-panel OptionsPanel': groupTab('options', 'Edit options'),
  'pages/groups/panels/remove-options-panel RemoveOptionsPanel': groupTab(
    'options',
    ({ change, ids }) => change('PUT', `/api/group/${ids.group}/distribution-options`, { commands: ['Install'] }),
    ({ page }) => refetch(page),
    'Inherit options again',
  ),
  'pages/variables/collection-panels EntryPanel': groupTab('variables', 'Shares', /^Add entry: Shares/),
  'pages/variables/collection-panels DeleteEntryPanel': at(
    ({ groupWithQueues }) => `/groups/${groupWithQueues}/variables`,
    'Printing.Queues',
    'Delete entry 1 of Printing.Queues',
  ),

  'pages/packages/import-panel ImportPanel': at('/packages', 'Import package'),
  'pages/packages/repositories/repository-panel RepositoryPanel': at('/packages', 'From a repository'),
  'pages/packages/winget/winget-panel WingetPanel': at('/packages', 'From winget'),
  'pages/packages/uploads/uploads-section DeleteDialog': at('/packages', /^Delete office-suite/),
  'pages/packages/uploads/proposal/proposal-panel ProposalPanel': at(
    '/packages',
    ownUploads,
    /^Review and import label-printer/,
  ),
  'pages/packages/uploads/import-upload-panel ImportUploadPanel': at('/packages', ownUploads, /^Import vpn-client/),
  'pages/package/assign-panel AssignPanel': aPackage('Assign to group…'),
  'pages/package/release-panel ReleasePanel': aPackage('Withdraw'),
  'pages/package/replace-panel ReplacePanel': aPackage('Actions', 'Replace in groups'),
  'pages/package/hash-panel HashPanel': aPackage('Actions', 'Check files'),
  'pages/package/tags-panel TagsPanel': aPackage('Actions', 'Edit tags'),
  'pages/package/line/line-panel LinePanel': aPackage('Actions', /line|version/i),
  'pages/package/retry-button RetryButton': aPackage(/^8 Computers/, /^Retry on /),
  'pages/package/trial/trial-panel TrialPanel': aPackage('Try on a computer'),
  'pages/package/trial/package-trial CancelButton': at(
    ({ triedPackage }) => `/packages/${triedPackage}`,
    'Cancel trial',
  ),
  'pages/package/line/upgrade-panel UpgradePanel': upgraded('Upgrade groups'),
  'pages/package/line/roll-back-panel RollBackPanel': upgraded('Roll back'),
  'pages/package-lines/clean-up-panel CleanUpPanel': at('/package-lines', 'Clean up'),
  'pages/package-requests/decision-dialogs ApproveRequestDialog': at('/package-requests', /^Approve: /),
  'pages/package-requests/decision-dialogs DeclineRequestDialog': at('/package-requests', /^Decline: /),

  'pages/rollout/rollout-actions ActionButton': rollout('Cancel rollout'),
  'pages/rollout/rollout-actions PauseButton': rollout('Resume', confirm, 'Pause'),
  'pages/rollout/edit-criteria EditCriteria': rollout('Edit criteria'),
  'pages/task/task-actions RetryTask': at(({ openTask }) => `/tasks/${openTask}`, failedWork, 'Retry failed'),
  'pages/task/task-actions WithdrawTask': at(({ openTask }) => `/tasks/${openTask}`, 'Withdraw deployment'),

  'pages/patches/import-catalog ImportPanel': at('/patches', 'Import catalog'),
  'pages/patches/approve-panel ApprovePanel': at(({ patch }) => `/patches/${patch}`, 'Approve into a patch group…'),
  'pages/patches/sla-section SlaPanel': at('/patches/compliance', 'Change SLA'),
  'pages/patches/patch-groups CreateGroup': at('/patches/groups', 'Create patch group'),
  'pages/patch/patch-products ApprovalButton': at(
    ({ unapprovedPatch }) => `/patches/${unapprovedPatch}`,
    /^Approve for /,
  ),
  'pages/patch/patch-files DownloadButton': at(
    ({ patchWithFiles }) => `/patches/${patchWithFiles}`,
    missingFiles,
    'Download files',
  ),
  'pages/patch-group/edit-group EditPanel': patchGroup('Rename or describe'),
  'pages/patch-group/patch-group-page DeletePanel': patchGroup('Delete'),
  'pages/patch-group/add-patch AddPatch': patchGroup('Add a patch'),
  'pages/patch-group/assignments Assign': patchGroup('Assign'),
  'pages/patch-group/remove-button RemoveButton': patchGroup(/^Remove (?!the assignment)/),
  'pages/patch-group/start-emergency StartEmergency': patchGroup('Start emergency patching'),
  'pages/patch-group/emergency StopEmergency': patchGroup(
    ({ change, ids: { computer, patchGroup } }) =>
      change('POST', `/api/pmgroup/${patchGroup}/emergency-patching`, { computerIds: [computer] }),
    ({ page }) => refetch(page),
    'Stop emergency patching',
  ),

  'pages/patch-policies/create-policy-panel CreatePolicyPanel': at('/patches/policies', 'New policy'),
  'pages/patch-policy/policy-actions EditPanel': policy('Edit'),
  'pages/patch-policy/policy-actions DeletePanel': policy('Delete'),
  'pages/patch-policy/progress-actions PausePatch': policy(/^Pause /),
  'pages/patch-policy/progress-actions StopPatch': policy(/^Stop /),
  'pages/patch-policy/progress-actions ResumePatch': policy(/^Resume /),
  'pages/patch-policy/rollback-list RollbackPanel': policy(/^Computers: rollback of /),
  'pages/patch-policy/policy-assignments Assign': policy('Assign to group'),
  'pages/patch-policy/policy-assignments Unassign': policy(/^Remove the assignment to /),

  'pages/vulnerabilities/import-vex-dialog ImportVexDialog': at('/vulnerabilities', 'Import VEX…'),
  'pages/vulnerability/exception-list ExceptionList': at('/vulnerabilities', 'Withdraw'),
  'pages/vulnerability/exception-dialog ExceptionDialog': at(
    ({ vulnerability }) => `/vulnerabilities/${vulnerability}`,
    'Add exception…',
  ),

  'pages/reports/create-report CreatePanel': reports('Create report'),
  // Only who has created a report changes it or runs it: the visitor creates one.
  'pages/report/report-panels EditPanel': reports(
    'Create report',
    fill(/^Name/, 'Open issues'),
    confirm,
    ({ page }) => page.getByRole('heading', { level: 1, name: 'Open issues' }).waitFor(),
    more,
    'Edit',
  ),
  'pages/report/report-panels RunPanel': reports('Open issues', 'Run now'),
  'pages/report/report-panels PausePanel': reports('Open issues', 'Pause'),
  'pages/report/report-panels DeletePanel': reports('Open issues', more, 'Delete'),
  'pages/reports/licence-panels CreateLicence': licences('Create licence'),
  'pages/reports/licence-panels EditLicence': licences('Edit Time Tracker'),
  'pages/reports/licence-panels DeleteLicence': licences('Delete Time Tracker'),
  'pages/reports/mail-server-panel MailServerPanel': mailServer('Set mail server'),
  'pages/reports/mail-server-tab RemovePanel': mailServer('Remove'),

  'pages/infrastructure/depots-tab SyncAll': at('/infrastructure', 'Synchronise all'),
  'pages/infrastructure/depots-tab TopologyPanel': at('/infrastructure', 'Let tags decide'),
  'pages/infrastructure/depot-actions DepotActions': at('/infrastructure', /^Synchronise: /),
  'pages/infrastructure/depot-tags-dialog DepotTagsDialog': at('/infrastructure', moreOfDepot, 'Edit tags'),
  'pages/infrastructure/depot-credential NewCredential': at('/infrastructure', moreOfDepot, 'Create credential'),
  'pages/infrastructure/depot-credential NewCredential once': at(
    '/infrastructure',
    moreOfDepot,
    'Create credential',
    confirm,
  ),
  'pages/infrastructure/depot-credential RevokeCredential': at('/infrastructure', moreOfDepot, 'Revoke credential'),
  'pages/infrastructure/tags-tab CreatePanel': at('/infrastructure/tags', 'New tag'),
  'pages/infrastructure/tags-tab EditPanel': at('/infrastructure/tags', 'Edit Europe'),
  'pages/infrastructure/tags-tab DeletePanel': at('/infrastructure/tags', 'Delete Europe'),
  'pages/infrastructure/fields-tab EditPanel': at('/infrastructure/fields', 'Edit Cost centre'),

  'pages/desired-state/current-tab SectionDrawer': at('/admin/desired-state/current', 'Tags'),
  'pages/audit/audit-entry-drawer AuditEntryDrawer': at('/admin/audit', /: Details of entry /),
  'pages/events/event-drawer EventDrawer': at('/admin/events', /: show event /),
  'pages/approvals/decision-dialogs ApproveDialog': at('/admin/approvals', /^Approve: /),
  'pages/approvals/decision-dialogs DenyDialog': at('/admin/approvals', /^Deny: /),
  'pages/enrolment-tokens/decision-dialog DecisionDialog': at('/admin/enrolment', /^Confirm: /),
  'pages/enrolment-tokens/designate-dialog DesignateDialog': at('/admin/enrolment', 'Designate: Linux'),
  'pages/enrolment-tokens/agent-packages WithdrawDialog': at('/admin/enrolment', designatedAgents, 'Withdraw: Linux'),
  'pages/enrolment-tokens/token-list RevokeDialog': at('/admin/enrolment', /^Revoke: /),
  'pages/enrolment-tokens/new-token-dialog NewToken': at('/admin/enrolment', 'Create token'),
  'components/use-input-guard Question': at(
    '/admin/enrolment',
    'Create token',
    fill('Description', 'North'),
    ({ page }) => page.keyboard.press('Escape'),
  ),
  'pages/enrolment-tokens/new-token-dialog NewToken once': at(
    '/admin/enrolment',
    'Create token',
    fill('Description', 'North'),
    confirm,
  ),
  'pages/webhooks/create-webhook CreatePanel': at('/admin/webhooks', 'Create webhook'),
  'pages/webhooks/webhook-secret WebhookSecret once': webhook(more, 'New secret', confirm),
  'pages/webhook/webhook-panels PausePanel': webhook('Continue'),
  'pages/webhook/webhook-panels EditPanel': webhook(more, 'Edit'),
  'pages/webhook/webhook-panels RotatePanel': webhook(more, 'New secret'),
  'pages/webhook/webhook-panels ReplayPanel': webhook(more, 'Deliver again'),
  'pages/webhook/webhook-panels DeletePanel': webhook(more, 'Delete'),

  'pages/principal/change-dialog ChangeDialog': principal('Delete'),
  'pages/principal/new-secret-dialog NewSecretDialog': principal('New secret'),
  'pages/principal/new-secret-dialog NewSecretDialog once': principal('New secret', confirm),
  'pages/principal/secrets SecretRow': principal(/^Delete the secret created/),
  'components/unsaved-changes UnsavedChanges': principal(fill('Description', 'Another'), 'Roles'),
  'pages/principal/conflict-dialog ConflictDialog': principal(
    fill('Description', 'Mine'),
    ({ change, ids }) =>
      change('PUT', `/api/admin/local-principals/${ids.principal}`, {
        description: 'Theirs',
        roles: ['admin.manage'],
        expiresAtUtc: null,
      }),
    'Save',
  ),
  'pages/principal/new-local-principal NewLocalPrincipal once': at(
    '/admin/principals/new',
    fill('Description', 'New'),
    check(/computer\.read/),
    'Create',
  ),
  'pages/safety/freeze-form EndFreeze': at('/admin/safety', fill(/Reason/, 'Wrong package'), 'Freeze', 'End freeze'),
  'shell/grant-roles GrantRoles': at(
    '/admin/about',
    ({ signInAs }) => signInAs('admin.manage'),
    ({ page }) => page.goto('/'),
    'Review the roles',
  ),
  'pages/sign-in/sign-in-again SignInAgain': at('/admin/about', ({ context }) => context.clearCookies(), 'Roles'),
}
