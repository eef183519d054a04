import { expect, test } from 'vitest'
import { operations } from '../../src/features/index.ts'

/** Changes that affect at most one computer, or none. Each has its reason. */
const withoutMassAction: Record<string, string> = {
  createComputer: 'creates one computer',
  createGroup: 'a new group has no computers',
  updateGroup: 'a name and a description do not reach computers',
  updateCustomField: 'shows or hides a value in lists; computers do not get it',
  setPatchSla: 'says from when on reports call a patch overdue; computers do not get it',
  designateAgentPackage: 'concerns computers that are not there yet',
  withdrawAgentPackage: 'concerns computers that are not there yet',
  cancelPackageTrial: 'one computer does not begin, or ends, what it tries',
  importPackage: 'what is imported reaches computers when it is made ready to install',
  addRepositoryPackage: 'what is imported reaches computers when it is made ready to install',
  createPackageUpload: 'stores a file',
  deletePackageUpload: 'deletes a file of which no package was made',
  importPackageUpload: 'what is imported reaches computers when it is made ready to install',
  setPackageLine: 'what an upgrade or an activation does because of it has a count of its own',
  deleteUnusedPackages: 'no computer has the packages or waits for them',
  downloadPackage: 'what is imported reaches computers when it is made ready to install',
  generatePackageHash: 'compares files; it changes nothing on computers',
  setPackageTags: 'selects what depots copy',
  createTag: 'selects what depots copy',
  updateTag: 'selects what depots copy',
  deleteTag: 'selects what depots copy',
  assignDepotTag: 'selects what a depot copies',
  removeDepotTag: 'selects what a depot copies',
  setDepotTopologySetting: 'selects what depots copy',
  triggerSyncJob: 'depots copy files',
  createDepotCredential: 'one depot',
  deleteDepotCredential: 'one depot',
  importVulnerabilities: 'describes vulnerabilities; computers do nothing because of it',
  createVulnerabilityException: 'a decision of people; computers do nothing because of it',
  importVex: 'decisions of people; computers do nothing because of them',
  deleteVulnerabilityException: 'a decision of people; computers do nothing because of it',
  importPatchCatalog: 'describes patches; an approval releases them',
  downloadPatch: 'copies files into the package store',
  createPmGroup: 'a new group is assigned to no computer',
  createPatchPolicy: 'a new policy is assigned to no computer',
  pausePatchOfPolicy: 'must take effect at once, whatever it stops',
  updatePmGroup: 'a name and a description do not reach computers',
  declinePackageRequest: 'carries nothing out',
  confirmQuarantinedAgent: 'the agent of one computer',
  rejectQuarantinedAgent: 'the agent of one computer',
  createEnrolmentToken: 'no computer has enrolled with a new token',
  revokeEnrolmentToken: 'must take effect at once, however many computers it shuts out',
  updateRollout: 'a name, criteria and rings that have not begun; the rollout itself was counted',
  pauseRollout: 'must take effect at once, whatever it stops',
  cancelRollout: 'must take effect at once, whatever it stops',
  setBlastRadius: 'a setting of the service',
  setFreeze: 'must take effect at once, whatever it stops',
  approveRequest: 'the approved request has a count of its own',
  denyRequest: 'carries nothing out',
  createWebhook: 'sends events elsewhere',
  updateWebhook: 'sends events elsewhere',
  deleteWebhook: 'sends events elsewhere',
  rotateWebhookSecret: 'sends events elsewhere',
  replayWebhook: 'sends events elsewhere',
  createView: 'a list under a name',
  updateView: 'a list under a name',
  deleteView: 'a list under a name',
  createLicence: 'is compared with the inventory in reports',
  updateLicence: 'is compared with the inventory in reports',
  deleteLicence: 'is compared with the inventory in reports',
  createReport: 'only reads',
  updateReport: 'only reads',
  deleteReport: 'only reads',
  runReport: 'only reads',
  applyDesiredState: 'each step is an operation with a count of its own',
}

const changes = operations.filter(({ mutates }) => mutates)
const hasPrefix = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)

test('every change of computers is a mass action, concerns the one computer of its path, or has a reason', () => {
  const unexplained = changes
    .filter(({ massAction }) => !massAction)
    .filter(({ path }) => !['/api/computer/:id', '/api/admin'].some((prefix) => hasPrefix(path, prefix)))
    .filter(({ id }) => !withoutMassAction[id])

  expect(unexplained.map(({ id }) => id)).toEqual([])
})

test('every reason is needed', () => {
  const needed = changes.filter(({ massAction }) => !massAction).map(({ id }) => id)

  expect(Object.keys(withoutMassAction).filter((id) => !needed.includes(id))).toEqual([])
})

test('every change below a group or a patch management group is a mass action, unless it only names or creates one', () => {
  const ofGroups = changes.filter(({ path }) =>
    ['/api/group', '/api/pmgroup'].some((prefix) => hasPrefix(path, prefix)),
  )
  const others = ofGroups.filter(({ massAction }) => !massAction).map(({ id }) => id)

  expect(ofGroups.length).toBeGreaterThan(30)
  expect(others).toEqual(['createGroup', 'updateGroup', 'createPmGroup', 'updatePmGroup'])
})

test('what counts when it becomes due, or makes software removable later, is undone as a whole, too', () => {
  const removing = changes.filter((operation) => operation.removals)

  expect(removing.filter(({ execution }) => execution.kind === 'StepwiseChange')).toEqual([])
  expect(removing.filter(({ removals, destructive }) => removals === 'Declared' && !destructive)).toEqual([])
})

test('the destructive operations are these, and each of them is undone as a whole when its quota is exceeded', () => {
  const destructive = changes.filter((operation) => operation.destructive)

  expect(destructive.map(({ id }) => id).sort()).toEqual([
    'activateComputer',
    'activateGroup',
    'deleteComputer',
    'deleteComputers',
    'deleteGroup',
    'rebootComputer',
    'rebootComputers',
    'removeDistributionOptions',
    'requestSoftwareReinstall',
    'setDistributionOptions',
    'stopPatchOfPolicy',
    'uninstallOnComputers',
    'uninstallSoftware',
    'updatePatchPolicy',
  ])
  expect(destructive.filter(({ execution }) => execution.kind === 'StepwiseChange')).toEqual([])
})
