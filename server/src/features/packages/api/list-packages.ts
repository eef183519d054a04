import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { packageRows } from '../package-rows.ts'
import { Package } from './schemas.ts'

export const listPackages = operation({
  id: 'listPackages',
  route: 'GET /api/packages',
  summary: 'List all packages',
  description:
    'Lists packages of every kind, including operating systems, language packs, agent templates and PXE boot images.',
  role: 'package.read',
  query: closed(paging),
  returns: ok(pagedResultOf(Package)),
  handle: (call) => pageOf(call, packageRows(call.db, call.services.configuration), { columns: ['id'] }),
})
