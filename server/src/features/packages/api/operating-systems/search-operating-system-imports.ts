import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { imageContains } from '../../manifest-texts.ts'
import { operatingSystemRows } from '../../operating-systems.ts'
import { OperatingSystemImport, OperatingSystemImportSearchFilter } from './schemas.ts'

export const searchOperatingSystemImports = operation({
  id: 'searchOperatingSystemImports',
  route: 'POST /api/operating-system-imports/search',
  summary: 'Search operating systems',
  description: 'All criteria must match. Without criteria, all operating systems are found.',
  role: 'package.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: OperatingSystemImportSearchFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(OperatingSystemImport)),
  handle(call) {
    const { name, edition, ...image } = call.body ?? {}
    let systems = operatingSystemRows(call.db).where(imageContains(image))
    if (name) systems = systems.where('packages.name', 'ilike', containing(name))
    if (edition)
      systems = systems.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('os_image_skus')
            .select('os_image_skus.id')
            .whereRef('os_image_skus.package_id', '=', 'packages.id')
            .where('os_image_skus.edition', 'ilike', containing(edition)),
        ),
      )
    return pageOf(call, systems, { columns: ['id'] })
  },
})
