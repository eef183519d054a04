import { ok, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { systemInfoOf } from '../queries.ts'
import { SystemInfo } from './schemas.ts'

export const getSystemInfo = operation({
  id: 'getSystemInfo',
  route: 'GET /api/computer/:id/system-info',
  summary: 'Read what is known about a computer and its operating system',
  description: 'What only an inventory tells is null until there is one.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(SystemInfo),
  problems: [computerNotFound],
  handle: ({ params, db }) => systemInfoOf(db, params.id),
})
