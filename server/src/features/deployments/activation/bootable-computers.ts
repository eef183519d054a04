import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { rankedAssignments } from '../../assignments/ranked-assignments.ts'
import { isDistributable } from '../../packages/distributable.ts'
import type { ActivationScope } from './activation-scope.ts'

/** The computers of the scope to which a boot image is assigned. */
export function bootableComputers({ computers }: ActivationScope): RawBuilder<{ computer_id: number }> {
  return sql`
    select distinct member.computer_id
    from (${computers}) as scope
      join effective_memberships member on member.computer_id = scope.owner_id
    where exists (
      select from group_ancestors above join group_pxe_boot_images boot on boot.group_id = above.ancestor_id
      where above.descendant_id = member.group_id)`
}

/**
 * Counts the computers of the scope to which a boot image is assigned, and those of them that do not boot before their
 * boot image or their operating system may be distributed.
 *
 * Each computer takes the first rank of its groups, so the assignments are resolved once for each group.
 */
export async function countBootable(db: Database, { computers, groupId }: ActivationScope) {
  // Without a group, the scope is one computer.
  const reached = groupId
    ? undefined
    : sql<{ group_id: string }>`select group_id from group_computers where computer_id in (${computers})`
  const { rows } = await sql<{ withImage: number; notReady: number }>`
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
    ), effective as (
      select min(boot_rank) as boot_rank, min(edition_rank) as edition_rank
      from (${computers}) as scope
        join group_computers member on member.computer_id = scope.owner_id
        join first_ranks on first_ranks.group_id = member.group_id
      group by member.computer_id
    )
    select count(boot_rank)::integer as "withImage",
      (count(boot_rank) filter (where boot_rank in (
        select boot.rank from boot
          join pxe_boot_images image on image.id = boot.object_id
          join packages on packages.id = image.package_id and not ${isDistributable('packages')}
      ) or edition_rank in (
        select edition.rank from edition
          join os_image_skus sku on sku.id = edition.object_id
          join packages on packages.id = sku.package_id and not ${isDistributable('packages')}
      )))::integer as "notReady"
    from effective`.execute(db)
  return rows[0] ?? { withImage: 0, notReady: 0 }
}
