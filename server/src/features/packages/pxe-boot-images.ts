import type { Database } from '../../database/connect.ts'
import { manifestFilePath, manifestText } from './manifest-texts.ts'
import { pxeBootImageNotFound } from './problems.ts'

/** The processor architecture that the manifest of a boot image names. */
export const bootArchitecture = manifestText('boot', 'architecture')

/** PXE boot images, as the API shows them. */
export function pxeBootImageRows(db: Database) {
  return db
    .selectFrom('pxe_boot_images')
    .innerJoin('packages', 'packages.id', 'pxe_boot_images.package_id')
    .select([
      'pxe_boot_images.id',
      'pxe_boot_images.package_id as packageId',
      'packages.name',
      'packages.version',
      'packages.description',
      'packages.is_operational as operational',
      bootArchitecture.as('architecture'),
      manifestFilePath('boot', 'loader').as('loaderPath'),
      manifestFilePath('boot', 'kernel').as('kernelPath'),
      manifestFilePath('boot', 'initrd').as('initrdPath'),
      manifestText('boot', 'arguments').as('kernelArguments'),
    ])
}

export async function getPxeBootImageById(db: Database, id: number) {
  const found = await pxeBootImageRows(db).where('pxe_boot_images.id', '=', id).executeTakeFirst()
  if (!found) throw pxeBootImageNotFound({ pxeId: id })
  return found
}
