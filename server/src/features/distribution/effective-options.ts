import { type RawBuilder, sql } from 'kysely'
import { distributionCommands } from './commands.ts'

export type EffectiveOptions = {
  group_id: string
  package_id: string | null
  dist_commands: number
  schedule: string
  revoke_count: number
  wol: boolean
  revoke_date: Date | null
  optional_date: Date | null
}

/**
 * The distribution options that hold for groups, and for packages in groups: one row for each that is asked for. `asked`
 * selects `group_id` and `package_id`, which is null for the group as a whole.
 *
 * Those of the nearest group win that has any, the group itself first. Within one group, options for the package come
 * before options for the whole group. Where no group has any, the package is installed at once.
 */
export function effectiveOptions(asked: RawBuilder<unknown>): RawBuilder<EffectiveOptions> {
  return sql<EffectiveOptions>`
    select asked.group_id, asked.package_id,
      coalesce(nearest.dist_commands, ${distributionCommands.Install}) as dist_commands,
      coalesce(nearest.schedule, '') as schedule,
      coalesce(nearest.revoke_count, 0) as revoke_count,
      coalesce(nearest.wol, false) as wol,
      nearest.revoke_date, nearest.optional_date
    from (${asked}) as asked
      left join lateral (
        select o.dist_commands, o.schedule, o.revoke_count, o.wol, o.revoke_date, o.optional_date
        from group_ancestors above
          join distribution_options o on o.group_id = above.ancestor_id
            and (o.package_id is null or o.package_id = asked.package_id)
        where above.descendant_id = asked.group_id
        order by above.distance, o.package_id nulls last
        limit 1
      ) as nearest on true`
}
