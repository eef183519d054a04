import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computer-rows.ts'
import { agentTemplateRows } from '../../../packages/agent-templates.ts'
import { effectiveFor, winningGroup } from '../../effective-for-computer.ts'
import { noAgentTemplateAssigned } from '../../problems.ts'
import { ComputerAgentTemplate } from './schemas.ts'

export const getComputerAgentTemplate = operation({
  id: 'getComputerAgentTemplate',
  route: 'GET /api/computer/:id/agent-template',
  summary: 'Read the agent template that holds for a computer, with the group that brings it',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerAgentTemplate),
  problems: [computerNotFound, noAgentTemplateAssigned],
  async handle({ params, db }) {
    const found = await agentTemplateRows(db)
      .innerJoin(effectiveFor('agentTemplate', params.id), 'effective.object_id', 'packages.id')
      .select(winningGroup)
      .executeTakeFirst()
    if (found) {
      const { assignedGroupId, assignedGroupPath, ...template } = found
      return { template, assignedGroupId, assignedGroupPath }
    }
    await requireComputer(db, params.id)
    throw noAgentTemplateAssigned({ clientId: params.id })
  },
})
