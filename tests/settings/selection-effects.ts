import type { Effects } from './effects-type.ts'

/** The settings of operations on selected computers and several patches. */
export const selectionEffects: Effects = {
  deleteComputers: {
    'computerIds[]':
      'computers/delete-computers.test.ts: a selection is deleted with its memberships and empty reinstall groups, and the master server is kept',
  },
  installOnComputers: {
    'computerIds[], packageId':
      'deployments/selection-packages.test.ts: a package is installed on a selection: who lacks an assignment joins the group of the package, and only this package is due',
  },
  uninstallOnComputers: {
    'computerIds[], packageId':
      'deployments/selection-packages.test.ts: a package is uninstalled from a selection, the answer names the groups whose other computers follow, and other packages stay',
  },
  cancelUninstallOnComputers: {
    'computerIds[], packageId':
      'deployments/selection-packages.test.ts: the cancellation of an uninstallation brings the option Install back and cancels what no agent has begun',
  },
  approvePatches: {
    'patchIds[], pmGroupId':
      'patch-management/several-patches.test.ts: several patches are approved for all their products and put into a PM group, with the computers that they reach',
  },
  revokePatches: {
    'approvals[].patchId, approvals[].productId, pmGroupId, pmGroupPatches[].patchId, pmGroupPatches[].productId':
      'patch-management/several-patches.test.ts: a revocation takes back what an approval has changed, and nothing that was there before',
  },
  retryPackage: {
    'computerIds[]': 'fleet/causes.test.ts: a retry on named computers is about those of them that fail',
  },
}
