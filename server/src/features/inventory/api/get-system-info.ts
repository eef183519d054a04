import { ok, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { requireSystemInfo } from '../bios-and-system.ts'
import { SystemInfo } from './schemas.ts'

export const getSystemInfo = operation({
  id: 'getSystemInfo',
  route: 'GET /api/computer/:id/system-info',
  summary: 'Get what is known about a computer and its operating system',
  description: 'Properties that come from an inventory are null until the first one arrives.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(SystemInfo),
  problems: [computerNotFound],
  handle: ({ params, db }) => requireSystemInfo(db, params.id),
})
