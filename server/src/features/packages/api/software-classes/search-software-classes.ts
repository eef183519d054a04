import { sql } from 'kysely'
import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { softwareClassRows } from '../../software-classes.ts'
import { SoftwareClass, SoftwareClassSearchFilter } from './schemas.ts'

export const searchSoftwareClasses = operation({
  id: 'searchSoftwareClasses',
  route: 'POST /api/softwareclasses/search',
  summary: 'Search software classes; all criteria that are given must hold',
  role: 'package.read',
  readonly: true,
  query: closed(paging),
  body: SoftwareClassSearchFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(SoftwareClass)),
  handle(call) {
    const { name, description, packageName } = call.body ?? {}
    let classes = softwareClassRows(call.db)
    if (name) classes = classes.where('name', 'ilike', containing(name))
    if (description) classes = classes.where('description', 'ilike', containing(description))
    if (packageName) classes = classes.where(coversPackageCalled(packageName))
    return pageOf(call, classes, { columns: ['id'] })
  },
})

function coversPackageCalled(name: string) {
  const pattern = containing(name)
  return sql<boolean>`exists (
    select from software_class_packages covered join packages on packages.id = covered.package_id
    where covered.class_id = software_classes.id and (packages.name ilike ${pattern} or package_name ilike ${pattern}))`
}
