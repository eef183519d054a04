import type { Database } from '../../database/connect.ts'

/** Tags of a package as the API shows them. */
export function tagsOfPackage(db: Database, packageId: string) {
  return db
    .selectFrom('tags')
    .innerJoin('package_tags', 'package_tags.tag_id', 'tags.id')
    .select(['tags.id', 'tags.designation', 'tags.description', 'tags.is_read_only as isReadOnly'])
    .where('package_tags.package_id', '=', packageId)
}
