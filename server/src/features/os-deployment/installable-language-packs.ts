import { type RawBuilder, sql } from 'kysely'
import { computerAsOwner, effectiveAssignments } from '../assignments/effective-assignments.ts'
import { isDistributable } from '../packages/distributable.ts'

/**
 * The packages of the effective language packs of the computer that may be distributed, and that are for the system to be
 * installed. What the image does not say about itself excludes nothing.
 */
export function languagePacksOf(computerId: number): RawBuilder<{ id: string; name: string }> {
  const computer = computerAsOwner(computerId)
  return sql`
    select packages.id, packages.name, packages.manifest
    from (${effectiveAssignments('languagePack', 'computer', computer)}) as effective
      join packages on packages.id = effective.object_id
      left join (${effectiveAssignments('osImageSku', 'computer', computer)}) as edition on true
      left join os_image_skus sku on sku.id = edition.object_id
      left join packages os on os.id = sku.package_id
    where ${isDistributable('packages')}
      and coalesce(packages.for_architecture = os.for_architecture, true)
      and coalesce(lower(packages.manifest #>> '{image,os}') = lower(os.manifest #>> '{image,os}'), true)`
}
