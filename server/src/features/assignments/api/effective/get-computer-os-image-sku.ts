import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computer-rows.ts'
import { imageColumns } from '../../../packages/manifest-texts.ts'
import { osImageSkuRows } from '../../../packages/operating-systems.ts'
import { effectiveFor, winningGroup } from '../../effective-for-computer.ts'
import { noOsImageSkuAssigned } from '../../problems.ts'
import { ComputerOsImageSku } from './schemas.ts'

export const getComputerOsImageSku = operation({
  id: 'getComputerOsImageSku',
  route: 'GET /api/computer/:id/os-image-sku',
  summary: 'Read the edition of an operating system that holds for a computer, with the group that brings it',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerOsImageSku),
  problems: [computerNotFound, noOsImageSkuAssigned],
  async handle({ params, db }) {
    const found = await osImageSkuRows(db)
      .innerJoin(effectiveFor('osImageSku', params.id), 'effective.object_id', 'os_image_skus.id')
      .select(imageColumns)
      .select(winningGroup)
      .executeTakeFirst()
    if (found) return found
    await requireComputer(db, params.id)
    throw noOsImageSkuAssigned({ clientId: params.id })
  },
})
