import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { quarantinedAgentRows } from '../quarantine.ts'
import { QuarantinedAgent } from './schemas.ts'

export const listQuarantinedAgents = operation({
  id: 'listQuarantinedAgents',
  route: 'GET /api/quarantined-agents',
  summary: 'List the agents in quarantine',
  description:
    'Agents that claim to run on an existing computer and match it by less than its UUID or match several computers equally, and agents of FusionInventory, GLPI and OCS that claim a computer with another agent. They get no settings, no work and no files, and nothing that they report is stored.',
  role: 'admin.manage',
  query: closed(paging),
  returns: ok(pagedResultOf(QuarantinedAgent)),
  extension: true,
  handle: (call) => pageOf(call, quarantinedAgentRows(call.db), { columns: ['id'] }),
})
