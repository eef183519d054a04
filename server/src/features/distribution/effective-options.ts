import { type RawBuilder, sql } from 'kysely'
import { distributionCommands } from './commands.ts'
import type { StoredUserDeadline } from './user-deadline.ts'

export type EffectiveOptions = {
  group_id: string
  package_id: string | null
  dist_commands: number
  schedule: string
  revoke_count: number
  wol: boolean
  revoke_date: Date | null
  optional_date: Date | null
  user_deadline: StoredUserDeadline | null
  /** Whether computers download the content before the schedule allows the work. */
  pre_download: boolean
  /** The group that has the options; null if no group has any. */
  source_group_id: string | null
  /** Whether they are options of the package, not of the whole group. */
  is_for_package: boolean
}

/** Groups and packages whose options are wanted. A null `package_id` stands for the group as a whole. */
export type OptionsOwner = { group_id: string; package_id: string | null }

/**
 * The effective distribution options, one row for each owner. The options of the nearest group that has any win,
 * starting with the group itself. Within one group, options of the package win over options of the whole group. If no
 * group has options, packages are installed at once.
 */
export function effectiveOptions(owners: RawBuilder<OptionsOwner>): RawBuilder<EffectiveOptions> {
  return sql<EffectiveOptions>`
    select owner.group_id, owner.package_id,
      coalesce(nearest.dist_commands, ${distributionCommands.Install}) as dist_commands,
      coalesce(nearest.schedule, '') as schedule,
      coalesce(nearest.revoke_count, 0) as revoke_count,
      coalesce(nearest.wol, false) as wol,
      coalesce(nearest.pre_download, false) as pre_download,
      nearest.revoke_date, nearest.optional_date, nearest.user_deadline, nearest.group_id as source_group_id,
      nearest.package_id is not null as is_for_package
    from (${owners}) as owner
      left join lateral (
        select stored.group_id, stored.package_id, stored.dist_commands, stored.schedule, stored.revoke_count, stored.wol, stored.revoke_date,
          stored.optional_date, stored.user_deadline, stored.pre_download
        from group_ancestors ancestry
          join distribution_options stored on stored.group_id = ancestry.ancestor_id
            and (stored.package_id is null or stored.package_id = owner.package_id)
        where ancestry.descendant_id = owner.group_id
        order by ancestry.distance, stored.package_id nulls last
        limit 1
      ) as nearest on true`
}
