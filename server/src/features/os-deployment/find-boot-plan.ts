import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectiveAssignments } from '../assignments/effective-assignments.ts'
import { isFrozen } from '../blast-radius/freeze.ts'
import { isPxeActive } from '../computers/computer-rows.ts'
import { isDistributable } from '../packages/distributable.ts'
import { isApplicable } from '../work-states/applicability.ts'
import { isOpenWork } from '../work-states/work-states.ts'

/** What a computer boots from the network, and which operating system its installer applies. */
export type ComputerBootPlan = {
  computer: { id: number; name: string }
  imageId: number
  boot: { loader?: string; kernel: string; initrd?: string; arguments?: string }
  skuId: number | null
  /** Null when only a boot image is assigned. */
  os: { file: string; index: number; edition: string } | null
}

const bootingComputer: RawBuilder<{ owner_id: number }> = sql`select computers.id as owner_id`

/**
 * The boot plan of the computer with this MAC address, given as twelve hexadecimal digits. Undefined when the computer is
 * not to be installed, when it was activated with another boot image or operating system, when it cannot boot the image, when
 * one of its packages may not be distributed (an installation that cannot be completed must not start), or while the
 * installation of the service is frozen.
 */
export async function findBootPlan(db: Database, macKey: string): Promise<ComputerBootPlan | undefined> {
  const { rows } = await sql<ComputerBootPlan>`
    select image.id as "imageId", boot.manifest -> 'boot' as boot, sku.id as "skuId",
      jsonb_build_object('id', computers.id, 'name', computers.name) as computer,
      case when sku.id is not null then jsonb_build_object('file', os.manifest #>> '{image,file}',
        'index', sku.sku_index, 'edition', sku.edition) end as os
    from computers
      join lateral (${effectiveAssignments('pxeBootImage', 'computer', bootingComputer)}) as effective_image on true
      join pxe_boot_images image on image.id = effective_image.object_id
      join packages boot on boot.id = image.package_id
      left join lateral (${effectiveAssignments('osImageSku', 'computer', bootingComputer)}) as effective_sku on true
      left join os_image_skus sku on sku.id = effective_sku.object_id
      left join packages os on os.id = sku.package_id
      join computer_platforms platform on platform.computer_id = computers.id
    where computers.mac_key = ${macKey} and ${isPxeActive} and not ${isFrozen}
      and ${isApplicable('boot', 'platform')} and ${isApplicable('os', 'platform')}
      and ${isActivatedWith(sql`image.id`, sql`sku.id`)}
      and ${isDistributable('boot')} and (os.id is null or ${isDistributable('os')})`.execute(db)
  return rows[0]
}

/** Whether the open installation of a row of `computers` was activated with this boot image and this edition. */
export function isActivatedWith(imageId: RawBuilder<number>, skuId: RawBuilder<number | null>): RawBuilder<boolean> {
  return sql`exists (
    select from work
    where work.computer_id = computers.id and work.kind = 'OperatingSystem' and ${isOpenWork('work.state')}
      and work.boot_image_id = ${imageId} and work.sku_id is not distinct from ${skuId})`
}
