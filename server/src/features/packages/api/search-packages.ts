import { containing } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { packageRows } from '../package-rows.ts'
import { Package, PackageSearchFilter } from './schemas.ts'

export const searchPackages = operation({
  id: 'searchPackages',
  route: 'POST /api/packages/search',
  summary: 'Search packages',
  description: 'All criteria must match. Without criteria, all packages are found.',
  role: 'package.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: PackageSearchFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(Package)),
  handle(call) {
    const { name, version, tag, tagId, kind } = call.body ?? {}
    let packages = packageRows(call.db, call.services.configuration)
    if (name) {
      const pattern = containing(name)
      packages = packages.where(({ eb, or }) =>
        or([eb('packages.name', 'ilike', pattern), eb('packages.package_name', 'ilike', pattern)]),
      )
    }
    if (version) packages = packages.where('packages.version', 'ilike', containing(version))
    if (kind) packages = packages.where('packages.kind', '=', kind)
    if (tag || tagId)
      packages = packages.where(({ exists, selectFrom }) => {
        let tags = selectFrom('package_tags')
          .innerJoin('tags', 'tags.id', 'package_tags.tag_id')
          .select('tags.id')
          .whereRef('package_tags.package_id', '=', 'packages.id')
        if (tag) tags = tags.where('tags.designation', 'ilike', containing(tag))
        if (tagId) tags = tags.where('tags.id', '=', tagId)
        return exists(tags)
      })
    return pageOf(call, packages, { columns: ['id'] })
  },
})
