import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { assigningGroupColumns, effectiveForComputer } from '../../effective-for-computer.ts'
import { noPxeBootImageAssigned } from '../../problems.ts'
import { ComputerPxeBootImage } from './schemas.ts'

export const getComputerPxeBootImage = operation({
  id: 'getComputerPxeBootImage',
  route: 'GET /api/computer/:id/pxe-bootimage',
  summary: 'Get the effective PXE boot image of a computer, and the group that assigns it',
  description:
    'The nearest group that assigns one wins, counted from the groups of the computer upwards; at the same distance, ' +
    'the configuration tree wins over the assignment tree, then the group whose path sorts first. Answers 404 if no ' +
    'group assigns one.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerPxeBootImage),
  problems: [computerNotFound, noPxeBootImageAssigned],
  async handle({ params, db }) {
    const found = await db
      .selectFrom('pxe_boot_images')
      .innerJoin('packages', 'packages.id', 'pxe_boot_images.package_id')
      .innerJoin(effectiveForComputer('pxeBootImage', params.id), 'effective.object_id', 'pxe_boot_images.id')
      .select(['pxe_boot_images.id as imageId', 'packages.name as imageName', ...assigningGroupColumns])
      .executeTakeFirst()
    if (found) return found
    await requireComputer(db, params.id)
    throw noPxeBootImageAssigned({ clientId: params.id })
  },
})
