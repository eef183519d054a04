import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isDistributable } from '../packages/distributable.ts'
import { isForArchitecture } from '../work-states/applicability.ts'
import { effectiveAssignments } from './effective-assignments.ts'

/** What an installation of an operating system over the network needs. */
export const osDeploymentConditions = [
  'OsImageSku',
  'PxeBootImage',
  'OsImageReadyToInstall',
  'PxeBootImageReadyToInstall',
  'OsImageForArchitecture',
  'PxeBootImageForArchitecture',
  'PxeSupport',
  'MacAddress',
] as const

export type OsDeploymentCondition = (typeof osDeploymentConditions)[number]

export type OsDeploymentOfComputer = {
  computerId: number
  skuId: number | null
  edition: string | null
  skuGroupId: string | null
  pxeImageId: number | null
  pxeGroupId: string | null
  missing: OsDeploymentCondition[]
}

/** The effective edition and boot image of a computer, and what is missing to install it. Undefined: no such computer. */
export async function findOsDeployment(
  db: Database,
  computerId: number,
): Promise<Omit<OsDeploymentOfComputer, 'computerId'> | undefined> {
  const [found] = await listOsDeployments(db, [computerId])
  if (!found) return undefined
  const { computerId: _, ...deployment } = found
  return deployment
}

/** The same for several computers, in no order. */
export async function listOsDeployments(
  db: Database,
  computerIds: readonly number[],
): Promise<OsDeploymentOfComputer[]> {
  const computer = sql<{ owner_id: number }>`select computers.id as owner_id`
  const { rows } = await sql<OsDeploymentOfComputer>`
    select computers.id as "computerId", sku.id as "skuId", sku.edition, effective_sku.group_id as "skuGroupId",
      boot.object_id as "pxeImageId", boot.group_id as "pxeGroupId",
      array_remove(array[
        case when sku.id is null then 'OsImageSku' end,
        case when boot.object_id is null then 'PxeBootImage' end,
        case when not ${isDistributable('os')} then 'OsImageReadyToInstall' end,
        case when not ${isDistributable('image_package')} then 'PxeBootImageReadyToInstall' end,
        case when not ${isForArchitecture('os', 'platform')} then 'OsImageForArchitecture' end,
        case when not ${isForArchitecture('image_package', 'platform')} then 'PxeBootImageForArchitecture' end,
        case when not computers.pxe_support then 'PxeSupport' end,
        case when computers.mac_key is null then 'MacAddress' end
      ], null) as missing
    from computers
      join computer_platforms platform on platform.computer_id = computers.id
      left join lateral (${effectiveAssignments('osImageSku', 'computer', computer)}) as effective_sku on true
      left join os_image_skus sku on sku.id = effective_sku.object_id
      left join packages os on os.id = sku.package_id
      left join lateral (${effectiveAssignments('pxeBootImage', 'computer', computer)}) as boot on true
      left join pxe_boot_images image on image.id = boot.object_id
      left join packages image_package on image_package.id = image.package_id
    where computers.id = any (${computerIds}::integer[])`.execute(db)
  return rows
}
