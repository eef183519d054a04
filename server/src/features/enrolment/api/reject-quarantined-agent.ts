import { noContent, operation } from '../../../platform/operation.ts'
import { callAfterDecision } from '../../agents/wake/decisions.ts'
import { quarantinedAgentNotFound } from './problems.ts'
import { QuarantinedAgentPath } from './schemas.ts'

export const rejectQuarantinedAgent = operation({
  id: 'rejectQuarantinedAgent',
  route: 'DELETE /api/quarantined-agents/:id',
  summary: 'Reject an agent in quarantine',
  description: 'Its credential is refused from now on. The computer stays without an agent.',
  role: 'admin.manage',
  params: QuarantinedAgentPath,
  returns: noContent,
  problems: [quarantinedAgentNotFound],
  extension: true,
  async handle({ params: { id }, db }) {
    const rejected = await db
      .deleteFrom('quarantined_agents')
      .where('id', '=', id)
      .where('confirmed_computer_id', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!rejected) throw quarantinedAgentNotFound({ id })
    await callAfterDecision(db)
  },
})
