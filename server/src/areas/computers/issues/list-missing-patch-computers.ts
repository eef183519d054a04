import { missingPatch } from '../../../domain/issues/missing-patch.ts'
import { issueSweep } from './issue-sweep.ts'

export const listMissingPatchComputers = issueSweep(missingPatch, {
  id: 'listMissingPatchComputers',
  route: 'GET /api/computer/issues/missing-patch',
  item: 'MissingPatchComputer',
  summary: 'List computers that lack patches by their last patch scan',
  description: 'Security patches, unless `patchType` names another type. Of each computer, the 500 worst are listed.',
})
