import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { imageColumns } from '../../../packages/manifest-texts.ts'
import { osImageSkuRows } from '../../../packages/operating-systems.ts'
import { assigningGroupColumns, effectiveForComputer } from '../../effective-for-computer.ts'
import { noOsImageSkuAssigned } from '../../problems.ts'
import { ComputerOsImageSku } from './schemas.ts'

export const getComputerOsImageSku = operation({
  id: 'getComputerOsImageSku',
  route: 'GET /api/computer/:id/os-image-sku',
  summary: 'Get the effective operating system edition (SKU) of a computer, and the group that assigns it',
  description:
    'The nearest group that assigns one wins, counted from the groups of the computer upwards; at the same distance, ' +
    'the configuration tree wins over the assignment tree, then the group whose path sorts first. Answers 404 if no ' +
    'group assigns one.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerOsImageSku),
  problems: [computerNotFound, noOsImageSkuAssigned],
  async handle({ params, db }) {
    const found = await osImageSkuRows(db)
      .innerJoin(effectiveForComputer('osImageSku', params.id), 'effective.object_id', 'os_image_skus.id')
      .select(imageColumns)
      .select(assigningGroupColumns)
      .executeTakeFirst()
    if (found) return found
    await requireComputer(db, params.id)
    throw noOsImageSkuAssigned({ clientId: params.id })
  },
})
