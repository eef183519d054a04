import { noContent, operation } from '../../../platform/operation.ts'
import { computerNotFound, lockComputer } from '../../computers/computers.ts'
import { lockDevices, revokeAgent } from '../enrolled-agents.ts'
import { agentNotFound } from './problems.ts'
import { AgentPath } from './schemas.ts'

export const revokeAgentCredential = operation({
  id: 'revokeAgentCredential',
  route: 'DELETE /api/computer/:id/agent',
  summary: 'Revoke the credential of the agent of a computer',
  description: [
    'The agent is refused from its next request on, on every node. It cannot enrol again with a token, and neither can another agent: that needs a re-enrolment code.',
    'What it has reported stays, and its work waits for the next agent.',
  ].join('\n'),
  role: 'admin.manage',
  params: AgentPath,
  returns: noContent,
  problems: [computerNotFound, agentNotFound],
  extension: true,
  async handle({ params: { id: clientId }, db, services }) {
    await lockDevices(db, clientId)
    await lockComputer(db, clientId)
    if (!(await revokeAgent(db, services.keys, clientId))) throw agentNotFound({ clientId })
  },
})
