import { type RawBuilder, sql } from 'kysely'

/**
 * Which packages a depot is to hold, as a condition on `packages`: those whose files are known and unchanged, and while
 * the depot topology is active, of these the ones with a tag of the depot or with the tag that is for all.
 */
export function isWantedBy(depotId: number): RawBuilder<boolean> {
  return sql<boolean>`packages.content_hash is not null and packages.hash_state = 'Current' and (
    not (select is_depot_topology_active from installation)
    or exists (
      select from package_tags tagged
        join tags on tags.id = tagged.tag_id
      where tagged.package_id = packages.id and (
        (tags.is_read_only and tags.designation = 'Global')
        or exists (select from depot_tags own where own.computer_id = ${depotId} and own.tag_id = tags.id))))`
}
