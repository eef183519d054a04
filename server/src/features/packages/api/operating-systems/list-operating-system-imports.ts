import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { operatingSystemRows } from '../../operating-systems.ts'
import { OperatingSystemImport } from './schemas.ts'

export const listOperatingSystemImports = operation({
  id: 'listOperatingSystemImports',
  route: 'GET /api/operating-system-imports',
  summary: 'List all operating systems with their editions',
  role: 'package.read',
  query: closed(paging),
  returns: ok(pagedResultOf(OperatingSystemImport)),
  handle: (call) => pageOf(call, operatingSystemRows(call.db), { columns: ['id'] }),
})
