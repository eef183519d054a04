import { type RawBuilder, sql } from 'kysely'
import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { softwareClassRows } from '../../software-classes.ts'
import { SoftwareClass, SoftwareClassSearchFilter } from './schemas.ts'

export const searchSoftwareClasses = operation({
  id: 'searchSoftwareClasses',
  route: 'POST /api/softwareclasses/search',
  summary: 'Search software classes',
  description: 'All criteria must match. Without criteria, all software classes are found.',
  role: 'package.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: SoftwareClassSearchFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(SoftwareClass)),
  handle(call) {
    const { name, description, packageName } = call.body ?? {}
    let classes = softwareClassRows(call.db)
    if (name) classes = classes.where('name', 'ilike', containing(name))
    if (description) classes = classes.where('description', 'ilike', containing(description))
    if (packageName) classes = classes.where(hasPackageNamed(packageName))
    return pageOf(call, classes, { columns: ['id'] })
  },
})

/** Refers to the selected row of `software_classes`. */
function hasPackageNamed(name: string): RawBuilder<boolean> {
  const pattern = containing(name)
  return sql<boolean>`exists (
    select from software_class_packages content join packages on packages.id = content.package_id
    where content.class_id = software_classes.id and (packages.name ilike ${pattern} or package_name ilike ${pattern}))`
}
