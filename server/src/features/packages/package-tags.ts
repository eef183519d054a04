import type { Database } from '../../database/connect.ts'
import { tagRows } from '../tags/tags.ts'

/** The tags of a package, as the API shows them. */
export function packageTagRows(db: Database, packageId: string) {
  return tagRows(db)
    .innerJoin('package_tags', 'package_tags.tag_id', 'tags.id')
    .where('package_tags.package_id', '=', packageId)
}
