import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'
import { listDesignations } from '../designations.ts'
import { AgentPackageDto } from './schemas.ts'

export const listAgentPackages = operation({
  id: 'listAgentPackages',
  route: 'GET /api/agent-packages',
  summary: 'List the packages from which new computers get their agent',
  description: 'One item for each platform, even if no package is designated for it.',
  role: 'package.read',
  returns: ok(Type.Array(AgentPackageDto)),
  extension: true,
  handle: ({ db, services: { configuration } }) => listDesignations(db, configuration),
})
