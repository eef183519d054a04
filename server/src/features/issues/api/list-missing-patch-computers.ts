import { issueSweep } from '../issue-sweep.ts'
import { missingPatch } from '../missing-patch.ts'

export const listMissingPatchComputers = issueSweep(missingPatch, {
  id: 'listMissingPatchComputers',
  route: 'GET /api/computer/issues/missing-patch',
  item: 'MissingPatchComputer',
  summary: 'List computers with missing patches',
  description:
    'Reports what the last patch scan of each computer found missing. Counts security patches unless `patchType` names ' +
    'another type. Every filter narrows the patches; `minCount` is the number of remaining patches from which a computer ' +
    'is listed. Lists the 500 most severe patches of each computer.',
})
