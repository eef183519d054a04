import { ok, operation } from '../../../../platform/operation.ts'
import { PatchPath } from '../../../patches/api/schemas.ts'
import { withAllowance } from '../../../patches/files/patch-file-rows.ts'
import { patchNotFound } from '../../../patches/problems.ts'
import { fleetPatchRows } from '../../patches/patch-list.ts'
import { listFilesOfPatch, listPmGroupsOfPatch, listProductsOfPatch } from '../../patches/patch-page.ts'
import { getStateAge } from '../../state-age.ts'
import { PatchPage } from './schemas.ts'

export const getPatchPage = operation({
  id: 'getPatchPage',
  route: 'GET /api/fleet/patches/:patchId',
  summary: 'Get everything that the page of a patch shows',
  description:
    'The patch with its product versions and how many computers lack it for each of them, its files and the patch ' +
    'management groups that contain it. listPatchStatusDevices lists the computers.',
  role: 'pm.read',
  extension: true,
  params: PatchPath,
  returns: ok(PatchPage),
  problems: [patchNotFound],
  async handle({ params: { patchId }, db, services }) {
    const patch = await fleetPatchRows(db).where('patches.id', '=', patchId).executeTakeFirst()
    if (!patch) throw patchNotFound({ patchId })
    const files = await listFilesOfPatch(db, patchId)
    return {
      patch,
      products: await listProductsOfPatch(db, patchId),
      files: files.map((file) => withAllowance(file, services.configuration)),
      pmGroups: await listPmGroupsOfPatch(db, patchId),
      ...(await getStateAge(db)),
    }
  },
})
