import { expect, test } from 'vitest'
import { panelActions } from '../../console/src/shell/palette/panel-actions.ts'
import { operations } from '../../server/src/features/index.ts'
import { listPanels } from './console-panels.ts'

/** The action of the palette with which a person finds each panel. */
const actionOf: Record<string, (typeof panelActions)[number]['id']> = {
  'pages/computers/create-computer CreatePanel': 'createComputer',
  'pages/computers/actions/deploy Deploy': 'deployToComputers',
  'pages/computer/actions/deploy-panel DeployPanel': 'deployToComputers',
  'pages/computer/actions/retry-package-panel RetryPackagePanel': 'deployToComputers',
  'pages/computers/actions/install-package InstallPackage': 'installOnComputers',
  'pages/computer/actions/reinstall-package-panel ReinstallPackagePanel': 'installOnComputers',
  'pages/computers/actions/uninstall-package UninstallPackage': 'uninstallOnComputers',
  'pages/computer/actions/uninstall-package-panel UninstallPackagePanel': 'uninstallOnComputers',
  'pages/computers/actions/restart Restart': 'restartComputers',
  'pages/computer/actions/restart-panel RestartPanel': 'restartComputers',
  'pages/computers/actions/rescan Rescan': 'rescanComputers',
  'pages/computer/actions/rescan-panel RescanPanel': 'rescanComputers',
  'pages/computer/actions/edit-panel EditPanel': 'editComputer',
  'pages/computer/actions/tags-panel TagsPanel': 'editComputer',
  'pages/computer/tabs/variable-panel VariablePanel': 'editComputer',
  'pages/computers/actions/delete-computers DeleteComputers': 'deleteComputers',
  'pages/computer/actions/delete-panel DeletePanel': 'deleteComputers',
  'pages/computer/actions/reinstall-system-panel ReinstallSystemPanel': 'reinstallSystem',
  'pages/computer/tabs/summary/os-installation ConfirmPanel': 'reinstallSystem',
  'pages/computer/actions/re-enrol-panel ReEnrolPanel': 'reEnrol',
  'pages/computer/actions/revoke-agent-panel RevokeAgentPanel': 'reEnrol',
  'pages/groups/panels/create-panel CreatePanel': 'createGroup',
  'pages/groups/panels/edit-panel EditPanel': 'changeGroup',
  'pages/groups/panels/move-panel MovePanel': 'changeGroup',
  'pages/groups/panels/kind-panel KindPanel': 'changeGroup',
  'pages/groups/panels/delete-panel DeletePanel': 'changeGroup',
  'pages/computers/actions/add-to-group AddToGroup': 'changeMembers',
  'pages/computers/actions/remove-from-group RemoveFromGroup': 'changeMembers',
  'pages/groups/panels/add-members-panel AddMembersPanel': 'changeMembers',
  'pages/groups/panels/remove-members-panel RemoveMembersPanel': 'changeMembers',
  'pages/groups/panels/rule-panel RulePanel': 'changeMembers',
  'pages/groups/panels/remove-rule-panel RemoveRulePanel': 'changeMembers',
  'pages/groups/panels/assign-panel AssignPanel': 'assignPackage',
  'pages/groups/panels/remove-assignment-panel RemoveAssignmentPanel': 'assignPackage',
  'pages/groups/panels/assign-object-panel AssignObjectPanel': 'assignPackage',
  'pages/package/assign-panel AssignPanel': 'assignPackage',
  'pages/groups/panels/options-panel OptionsPanel': 'groupOptions',
  'pages/groups/panels/remove-options-panel RemoveOptionsPanel': 'groupOptions',
  'pages/groups/panels/variable-panel VariablePanel': 'groupOptions',
  'pages/groups/panels/unset-variable-panel UnsetVariablePanel': 'groupOptions',
  'pages/groups/panels/depots-panel DepotsPanel': 'groupOptions',
  'pages/groups/panels/convergence-panel ConvergencePanel': 'groupOptions',
  'pages/variables/collection-panels EntryPanel': 'groupOptions',
  'pages/variables/collection-panels DeleteEntryPanel': 'groupOptions',
  'pages/groups/panels/deploy-panel DeployPanel': 'newRollout',
  'pages/rollout/rollout-actions ActionButton': 'changeRollout',
  'pages/rollout/rollout-actions PauseButton': 'changeRollout',
  'pages/rollout/edit-criteria EditCriteria': 'changeRollout',
  'pages/task/task-actions RetryTask': 'changeRollout',
  'pages/task/task-actions WithdrawTask': 'changeRollout',
  'pages/packages/import-panel ImportPanel': 'uploadPackage',
  'pages/packages/repositories/repository-panel RepositoryPanel': 'uploadPackage',
  'pages/packages/winget/winget-panel WingetPanel': 'uploadPackage',
  'pages/packages/uploads/proposal/proposal-panel ProposalPanel': 'uploadPackage',
  'pages/packages/uploads/import-upload-panel ImportUploadPanel': 'uploadPackage',
  'pages/packages/uploads/uploads-section DeleteDialog': 'uploadPackage',
  'pages/package/release-panel ReleasePanel': 'releasePackage',
  'pages/package/replace-panel ReplacePanel': 'releasePackage',
  'pages/package/hash-panel HashPanel': 'releasePackage',
  'pages/package/tags-panel TagsPanel': 'releasePackage',
  'pages/package/line/line-panel LinePanel': 'releasePackage',
  'pages/package/trial/trial-panel TrialPanel': 'releasePackage',
  'pages/package/trial/package-trial CancelButton': 'releasePackage',
  'pages/package/retry-button RetryButton': 'releasePackage',
  'pages/package/line/upgrade-panel UpgradePanel': 'upgradePackage',
  'pages/package/line/roll-back-panel RollBackPanel': 'upgradePackage',
  'pages/package-lines/clean-up-panel CleanUpPanel': 'upgradePackage',
  'pages/package-requests/decision-dialogs ApproveRequestDialog': 'decideRequests',
  'pages/package-requests/decision-dialogs DeclineRequestDialog': 'decideRequests',
  'pages/patches/import-catalog ImportPanel': 'importCatalog',
  'pages/patches/approve-panel ApprovePanel': 'approvePatches',
  'pages/patch/patch-products ApprovalButton': 'approvePatches',
  'pages/patch/patch-files DownloadButton': 'approvePatches',
  'pages/patches/patch-groups CreateGroup': 'createPatchGroup',
  'pages/patch-group/edit-group EditPanel': 'changePatchGroup',
  'pages/patch-group/patch-group-page DeletePanel': 'changePatchGroup',
  'pages/patch-group/add-patch AddPatch': 'changePatchGroup',
  'pages/patch-group/assignments Assign': 'changePatchGroup',
  'pages/patch-group/remove-button RemoveButton': 'changePatchGroup',
  'pages/patch-group/start-emergency StartEmergency': 'changePatchGroup',
  'pages/patch-group/emergency StopEmergency': 'changePatchGroup',
  'pages/reports/create-report CreatePanel': 'newReport',
  'pages/report/report-panels EditPanel': 'newReport',
  'pages/report/report-panels PausePanel': 'newReport',
  'pages/report/report-panels RunPanel': 'newReport',
  'pages/report/report-panels DeletePanel': 'newReport',
  'pages/reports/licence-panels CreateLicence': 'newLicence',
  'pages/reports/licence-panels EditLicence': 'newLicence',
  'pages/reports/licence-panels DeleteLicence': 'newLicence',
  'pages/reports/mail-server-panel MailServerPanel': 'setMailServer',
  'pages/reports/mail-server-tab RemovePanel': 'setMailServer',
  'pages/webhooks/create-webhook CreatePanel': 'newWebhook',
  'pages/webhook/webhook-panels EditPanel': 'newWebhook',
  'pages/webhook/webhook-panels PausePanel': 'newWebhook',
  'pages/webhook/webhook-panels RotatePanel': 'newWebhook',
  'pages/webhook/webhook-panels ReplayPanel': 'newWebhook',
  'pages/webhook/webhook-panels DeletePanel': 'newWebhook',
  'pages/infrastructure/tags-tab CreatePanel': 'newTag',
  'pages/infrastructure/tags-tab EditPanel': 'newTag',
  'pages/infrastructure/tags-tab DeletePanel': 'newTag',
  'pages/infrastructure/fields-tab EditPanel': 'editField',
  'pages/infrastructure/depots-tab SyncAll': 'syncDepots',
  'pages/infrastructure/depots-tab TopologyPanel': 'syncDepots',
  'pages/infrastructure/depot-actions DepotActions': 'syncDepots',
  'pages/infrastructure/depot-tags-dialog DepotTagsDialog': 'syncDepots',
  'pages/infrastructure/depot-credential NewCredential': 'depotCredential',
  'pages/infrastructure/depot-credential RevokeCredential': 'depotCredential',
  'pages/enrolment-tokens/new-token-dialog NewToken': 'createToken',
  'pages/enrolment-tokens/token-list RevokeDialog': 'createToken',
  'pages/enrolment-tokens/decision-dialog DecisionDialog': 'confirmAgents',
  'pages/enrolment-tokens/designate-dialog DesignateDialog': 'agentPackages',
  'pages/enrolment-tokens/agent-packages WithdrawDialog': 'agentPackages',
  'pages/principal/new-local-principal NewLocalPrincipal': 'addPrincipal',
  'pages/principal/change-dialog ChangeDialog': 'changePrincipal',
  'pages/principal/new-secret-dialog NewSecretDialog': 'changePrincipal',
  'pages/principal/secrets SecretRow': 'changePrincipal',
  'pages/approvals/decision-dialogs ApproveDialog': 'decideApprovals',
  'pages/approvals/decision-dialogs DenyDialog': 'decideApprovals',
  'pages/safety/freeze-form EndFreeze': 'freeze',
}

const shows = 'It shows something, and changes nothing.'
const lists = 'It changes how a list is shown.'
const asks = 'A question about what the person has begun.'

/** Panels that the palette does not find, each with the reason. */
const notFound: Record<string, string> = {
  'components/table/table-menu TableMenu': lists,
  'components/unsaved-changes UnsavedChanges': asks,
  'components/use-input-guard Question': asks,
  'pages/audit/audit-entry-drawer AuditEntryDrawer': shows,
  'pages/computers/facet-button FacetButton': lists,
  'pages/computers/views-menu ViewsMenu': lists,
  'pages/desired-state/current-tab SectionDrawer': shows,
  'pages/events/event-drawer EventDrawer': shows,
  'pages/principal/conflict-dialog ConflictDialog': asks,
  'pages/sign-in/sign-in-again SignInAgain': asks,
  'pages/webhooks/webhook-secret WebhookSecret': 'It shows the secret of a webhook, once.',
  'shell/account-menu AccountMenu': 'Each of its settings is an action of the palette.',
  'shell/grant-roles GrantRoles': 'The service offers it to those who lack roles.',
  'shell/help/shortcuts-dialog ShortcutsDialog': 'It is an action of the palette that needs no operation.',
  'shell/palette/palette Palette': 'It is the palette.',
}

test('the palette finds an action for every panel in which something is done', () => {
  const panels = [...new Set(listPanels().map((panel) => panel.replace(/ once$/, '')))]

  expect(panels.filter((panel) => !Object.hasOwn(actionOf, panel)).sort()).toEqual(Object.keys(notFound).sort())
  expect(Object.keys(actionOf).filter((panel) => !panels.includes(panel))).toEqual([])
  expect([...new Set(Object.values(actionOf))].sort()).toEqual(panelActions.map(({ id }) => id).sort())
})

test('the palette offers an action to those who have the roles of its operation', () => {
  const declared = panelActions.map(({ id, operation }) => {
    const { role, alsoRequires = [] } = operations.find((one) => one.id === operation) ?? {}
    return { id, roles: [role, ...alsoRequires] }
  })

  expect(declared).toEqual(panelActions.map(({ id, roles }) => ({ id, roles })))
})
