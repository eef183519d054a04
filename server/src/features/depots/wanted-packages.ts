import { type RawBuilder, sql } from 'kysely'

/**
 * A condition: the depot synchronises this package. A depot wants every package whose files are known and unchanged.
 * While the depot topology is active, the package must also have a tag of the depot or the tag `Global`. Takes the alias
 * of `packages`.
 */
export function isWantedByDepot(depotId: number, packages = 'packages'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${packages}.${name}`)
  return sql<boolean>`${column('content_hash')} is not null and ${column('hash_state')} = 'Current' and (
    not (select is_depot_topology_active from installation)
    or exists (
      select from package_tags
        join tags on tags.id = package_tags.tag_id
      where package_tags.package_id = ${column('id')} and (
        (tags.is_read_only and tags.designation = 'Global')
        or exists (
          select from depot_tags where depot_tags.computer_id = ${depotId} and depot_tags.tag_id = tags.id))))`
}
