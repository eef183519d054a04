import { ok, operation } from '../../../../platform/operation.ts'
import { getOperatingSystemById } from '../../operating-systems.ts'
import { operatingSystemImportNotFound } from '../../problems.ts'
import { OperatingSystemImport, OperatingSystemImportPath } from './schemas.ts'

export const getOperatingSystemImport = operation({
  id: 'getOperatingSystemImport',
  route: 'GET /api/operating-system-imports/:id',
  summary: 'Get an operating system with its editions',
  role: 'package.read',
  params: OperatingSystemImportPath,
  returns: ok(OperatingSystemImport),
  problems: [operatingSystemImportNotFound],
  handle: ({ params, db }) => getOperatingSystemById(db, params.id),
})
