import type { Effects } from './effects-type.ts'

const recreated =
  'tests/demo/data-set.test.ts: the desired state of the demo, applied to an empty service with the same packages and patches, is exported again'
const created =
  'catalog/desired-state.test.ts: a document creates groups with what is assigned to them, and then there is nothing left to change'
const exported =
  'catalog/desired-state.test.ts: the export of what a document created is that document, with its defaults and with names for its secrets'
const converged =
  'catalog/state-convergence.test.ts: the convergence of a group is created with the groups of its rings, exported, changed and removed'
const removed =
  'catalog/desired-state.test.ts: what is missing is removed only with prune and the number of removals, and a group with computers stays'
const continued =
  'catalog/state-plans.test.ts: a plan is refused if something would be changed that it does not list, and otherwise continues where it ended'
const distinguished =
  'catalog/state-details.test.ts: packages with the same name and version are distinguished by revision and operating systems'

/** The settings of the desired state: what is exported again was stored. */
export const stateEffects: Effects = {
  applyDesiredState: {
    'state.tags[], state.variableDefinitions[], state.variableConfigurations[], state.packages[]': recreated,
    'state.softwareClasses[], state.customFields[], state.groups[], state.patchGroups[], state.patchApprovals[]':
      recreated,
    'state.webhooks[], state.principals[]': recreated,
    'prune, expectedRemovals': removed,
    'plan[], maxSteps': continued,
    secrets: 'catalog/desired-state.test.ts: a secret that is needed has to be given',
  },
  'PackageReference, OperatingSystemReference, DesiredPackage': {
    'name, version': recreated,
    'revision, operatingSystems[]': distinguished,
  },
  OperatingSystemReference: { edition: recreated },
  DesiredPackage: { 'hash, released, tags[]': recreated },
  DesiredTag: { name: recreated },
  DesiredSoftwareClass: { 'name, packages[]': recreated },
  DesiredCustomField: { 'slot, name, active': recreated },
  DesiredGroupRule: {
    'criteria, maxChangesPerHour':
      'catalog/state-details.test.ts: the rule of a group is created, planned with who joins and leaves, exported and removed without its members',
  },
  DesiredConvergence: {
    'state, rings[], windows[], expectedComputers, maxRemovals': converged,
    'criteria, timeZone, expectedPercent, maxRepairsPerDay': recreated,
  },
  DesiredConvergenceRing: { 'name, percent, group': converged, 'count, releaseMinutes, windows[]': recreated },
  DesiredGroup: {
    path: created,
    convergence: converged,
    rule: recreated,
    kind: 'catalog/state-details.test.ts: a group is frozen after its content is assigned, and thawed before its content changes',
    'packages[], options[], variables[], collections[]': created,
    'softwareClasses[], variableConfigurations[], languagePacks[]': recreated,
    'agentTemplate, operatingSystem, pxeBootImage': recreated,
  },
  DesiredDistributionOptions: {
    'package, commands[], schedule, wol': exported,
    'revokeCount, revokeDate, optionalDate, userDeadline, preDownload': recreated,
  },
  DesiredGroupVariable: { 'variable, value, secret, forced': exported, schedule: recreated },
  DesiredGroupCollection: { 'variable, entries[]': exported },
  PatchReference: { 'patch, product': recreated },
  DesiredPatchGroup: { 'name, category, patches[], assignments[]': recreated },
  DesiredPatchGroupAssignment: { 'group, test': recreated },
  DesiredWebhook: { 'name, url, types[], paused': recreated },
  DesiredPrincipal: { 'kind, subject, issuer, displayName, roles[]': recreated },
}
