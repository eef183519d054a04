import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { effectiveFor, winningGroup } from '../../effective-for-computer.ts'
import { noPxeBootImageAssigned } from '../../problems.ts'
import { ComputerPxeBootImage } from './schemas.ts'

export const getComputerPxeBootImage = operation({
  id: 'getComputerPxeBootImage',
  route: 'GET /api/computer/:id/pxe-bootimage',
  summary: 'Read the PXE boot image that holds for a computer, with the group that brings it',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerPxeBootImage),
  problems: [computerNotFound, noPxeBootImageAssigned],
  async handle({ params, db }) {
    const found = await db
      .selectFrom('pxe_boot_images')
      .innerJoin('packages', 'packages.id', 'pxe_boot_images.package_id')
      .innerJoin(effectiveFor('pxeBootImage', params.id), 'effective.object_id', 'pxe_boot_images.id')
      .select(['pxe_boot_images.id as imageId', 'packages.name as imageName', ...winningGroup])
      .executeTakeFirst()
    if (found) return found
    await requireComputer(db, params.id)
    throw noPxeBootImageAssigned({ clientId: params.id })
  },
})
