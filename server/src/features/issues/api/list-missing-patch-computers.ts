import { issueSweep } from '../issue-sweep.ts'
import { missingPatch } from '../missing-patch.ts'

export const listMissingPatchComputers = issueSweep(missingPatch, {
  id: 'listMissingPatchComputers',
  route: 'GET /api/computer/issues/missing-patch',
  item: 'MissingPatchComputer',
  summary: 'List computers that lack patches by their last patch scan',
  description: 'Security patches, unless `patchType` names another type. Of each computer, the 500 worst are listed.',
})
