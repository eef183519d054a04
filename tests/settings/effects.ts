import { catalogEffects } from './catalog-effects.ts'
import { convergenceEffects } from './convergence-effects.ts'
import { depotEffects } from './depot-effects.ts'
import type { Effects } from './effects-type.ts'
import { everyManifest, manifestEffects } from './manifest-effects.ts'
import { operationEffects } from './operation-effects.ts'
import { packageLineEffects } from './package-line-effects.ts'
import { patchPolicyDescriptions, patchPolicyEffects } from './patch-policy-effects.ts'
import { reportEffects } from './report-effects.ts'
import { rolloutEffects } from './rollout-effects.ts'
import { selectionEffects } from './selection-effects.ts'
import { stateEffects } from './state-effects.ts'
import { uploadEffects } from './upload-effects.ts'
import { variableEffects } from './variable-effects.ts'
import { viewDescriptions, viewEffects } from './view-effects.ts'
import { vulnerabilityEffects } from './vulnerability-effects.ts'

/**
 * An effect is more than that the value can be read back or searched for: an agent, an installer or a depot gets something
 * else, work changes, or another operation decides differently.
 */
export const effects: Effects[] = [
  operationEffects,
  selectionEffects,
  variableEffects,
  depotEffects,
  rolloutEffects,
  reportEffects,
  convergenceEffects,
  catalogEffects,
  stateEffects,
  manifestEffects,
  packageLineEffects,
  patchPolicyEffects,
  uploadEffects,
  viewEffects,
  vulnerabilityEffects,
]

/** For people, who decide by it what to do. Their test reads it with another operation or on a page. */
export const descriptions: Effects = {
  ...patchPolicyDescriptions,
  ...viewDescriptions,
  updateComputer: {
    custom: 'computers/delta-synchronisation.test.ts: modifiedAfter finds every change of $field by $way',
  },
  'createPmGroup, updatePmGroup': {
    'name, description': 'patch-management/pm-groups.test.ts: a PM group is created, read, renamed and deleted',
  },
  createPmGroup: {
    category: 'patch-management/pm-groups.test.ts: a PM group is created, read, renamed and deleted',
  },
  CatalogSoftwareClass: {
    description:
      'catalog/catalog.test.ts: applying creates the objects of the document, and applying it again changes nothing',
  },
  OperatingSystemManifest: {
    'image.language, image.osType':
      'assignments/effective.test.ts: the edition of the nearest group is effective, and is shown with the properties of its image',
  },
  createRollout: {
    name: 'rollouts/rollout-api.test.ts: a request with an Idempotency-Key creates one rollout',
  },
  pauseRollout: {
    reason:
      'rollouts/pauses.test.ts: while a rollout is paused, its agents get no work and start none, and everything continues after it',
  },
  'createLocalPrincipal, updateLocalPrincipal': {
    description:
      'console/test/pages/principals.test.ts: principals of all kinds are found by search, kind and state, and sorted',
  },
  'createWebhook, updateWebhook': {
    name: 'webhooks/webhooks.test.ts: webhooks can be listed and deleted, names are unique, and unknown types are refused',
  },
  'createReport, updateReport': {
    name: 'reports/runs.test.ts: a report is mailed with its document, over TLS and as the user of the mail server',
  },
  'createLicence, updateLicence': {
    name: 'licences/licences.test.ts: a licence is created, changed, listed by name and deleted',
  },
  createEnrolmentToken: {
    description: 'enrolment/enrolment-tokens.test.ts: an enrolment token is shown once, and only its hash is stored',
  },
  updateCustomField: {
    designation: 'custom-fields/custom-fields.test.ts: a slot can be renamed and activated together or separately',
  },
  'createGroup, updateGroup': {
    description: 'groups/list-groups.test.ts: a group is returned with its tree, its parent and its description',
  },
  'createTag, updateTag': {
    description: 'tags/tags.test.ts: a tag is created with a designation and an optional description',
  },
  'CatalogTopLevelVariable, CatalogVariable, CatalogCollectionColumn': {
    description: 'variables/definitions.test.ts: a definition is returned with all its properties',
  },
  CatalogVariableConfiguration: {
    description:
      'catalog/catalog.test.ts: applying creates the objects of the document, and applying it again changes nothing',
  },
  'DesiredTag, DesiredSoftwareClass, DesiredGroup, DesiredPatchGroup': {
    description:
      'tests/demo/data-set.test.ts: the desired state of the demo, applied to an empty service with the same packages and patches, is exported again',
  },
  [everyManifest]: {
    'author, description':
      'packages/import.test.ts: a folder with a manifest becomes a package with the hash of every file',
  },
}

/** Accepted and not used, as their descriptions say. Their test sends them. */
export const unused: Effects = {
  setDistributionOptions: {
    'schedule.nextStart': 'distribution/distribution-options.test.ts: a schedule can be written back as it was read',
  },
  [everyManifest]: {
    $schema: 'packages/examples.test.ts: every example package can be imported, and every kind has an example',
  },
}
