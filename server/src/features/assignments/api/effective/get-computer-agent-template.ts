import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { agentTemplateRows } from '../../../packages/agent-templates.ts'
import { assigningGroupColumns, effectiveForComputer } from '../../effective-for-computer.ts'
import { noAgentTemplateAssigned } from '../../problems.ts'
import { ComputerAgentTemplate } from './schemas.ts'

export const getComputerAgentTemplate = operation({
  id: 'getComputerAgentTemplate',
  route: 'GET /api/computer/:id/agent-template',
  summary: 'Get the effective agent template of a computer, and the group that assigns it',
  description:
    'The nearest group that assigns one wins, counted from the groups of the computer upwards; at the same distance, ' +
    'the configuration tree wins over the assignment tree, then the group whose path sorts first. Answers 404 if no ' +
    'group assigns one.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerAgentTemplate),
  problems: [computerNotFound, noAgentTemplateAssigned],
  async handle({ params, db }) {
    const found = await agentTemplateRows(db)
      .innerJoin(effectiveForComputer('agentTemplate', params.id), 'effective.object_id', 'packages.id')
      .select(assigningGroupColumns)
      .executeTakeFirst()
    if (found) {
      const { assignedGroupId, assignedGroupPath, ...template } = found
      return { template, assignedGroupId, assignedGroupPath }
    }
    await requireComputer(db, params.id)
    throw noAgentTemplateAssigned({ clientId: params.id })
  },
})
