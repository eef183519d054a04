import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { rankedAssignments } from '../../assignments/ranked-assignments.ts'
import { isDistributable } from '../../packages/distributable.ts'
import { applicabilityColumns, isApplicable } from '../../work-states/applicability.ts'
import type { ActivationScope } from './activation-scope.ts'

const packageColumns = sql.join(
  ['id', 'is_operational', 'hash_state', ...applicabilityColumns].map((name) => sql.ref(`packages.${name}`)),
)

type BootableComputer = { computer_id: number; is_applicable: boolean; is_ready: boolean }

/**
 * The computers of the scope to which a boot image is assigned: whether they can use it and their operating system, and
 * whether both may be distributed.
 *
 * Each computer takes the first rank of its groups, so the assignments are resolved once for each group.
 */
function computersWithBootImage({ computers, groupId }: ActivationScope): RawBuilder<BootableComputer> {
  // Without a group, the scope is one computer.
  const reached = groupId
    ? undefined
    : sql<{ group_id: string }>`select group_id from group_computers where computer_id in (${computers})`
  return sql<BootableComputer>`
    with boot as materialized (
      ${rankedAssignments('pxeBootImage', reached)}
    ), edition as materialized (
      ${rankedAssignments('osImageSku', reached)}
    ), first_ranks as materialized (
      select own.id as group_id, min(boot_rank) as boot_rank, min(edition_rank) as edition_rank
      from (
        select group_id, rank as boot_rank, null::bigint as edition_rank from boot
        union all select group_id, null, rank from edition
      ) as ranked
        join permanent_groups own on own.id = ranked.group_id
      group by own.id
    ), effective as materialized (
      select member.computer_id, min(boot_rank) as boot_rank, min(edition_rank) as edition_rank
      from (${computers}) as scope
        join group_computers member on member.computer_id = scope.owner_id
        join first_ranks on first_ranks.group_id = member.group_id
      group by member.computer_id
      having min(boot_rank) is not null
    ), boot_package as materialized (
      select distinct on (boot.rank) boot.rank, ${packageColumns} from boot
        join pxe_boot_images image on image.id = boot.object_id
        join packages on packages.id = image.package_id
    ), edition_package as materialized (
      select distinct on (edition.rank) edition.rank, ${packageColumns} from edition
        join os_image_skus sku on sku.id = edition.object_id
        join packages on packages.id = sku.package_id
    )
    select effective.computer_id,
      ${isApplicable('boot_package', 'platform')} and ${isApplicable('edition_package', 'platform')}
        as is_applicable,
      ${isDistributable('boot_package')} and (edition_package.id is null or ${isDistributable('edition_package')}) as is_ready
    from effective
      join computer_platforms platform on platform.computer_id = effective.computer_id
      join boot_package on boot_package.rank = effective.boot_rank
      left join edition_package on edition_package.rank = effective.edition_rank`
}

/** The computers of the scope that can boot their image. */
export function bootableComputers(scope: ActivationScope): RawBuilder<{ computer_id: number }> {
  return sql`select computer_id from (${computersWithBootImage(scope)}) as with_image where is_applicable`
}

/**
 * Counts the computers of the scope to which a boot image is assigned, how many of them can boot it, and how many of these
 * have to wait until their boot image or their operating system may be distributed.
 */
export async function countBootable(db: Database, scope: ActivationScope) {
  const { rows } = await sql<{ withImage: number; bootable: number; notReady: number }>`
    select count(*)::integer as "withImage", (count(*) filter (where is_applicable))::integer as bootable,
      (count(*) filter (where is_applicable and not is_ready))::integer as "notReady"
    from (${computersWithBootImage(scope)}) as with_image`.execute(db)
  return rows[0] ?? { withImage: 0, bootable: 0, notReady: 0 }
}
