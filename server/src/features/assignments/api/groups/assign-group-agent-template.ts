import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { assignSingle } from '../../assignments.ts'
import { pinPackage, requireEndpoint } from '../../packages.ts'
import { wrongEndpointForType } from './problems.ts'
import { AssignAgentTemplateRequest, GroupAgentTemplateAssignment } from './schemas.ts'

export const assignGroupAgentTemplate = operation({
  id: 'assignGroupAgentTemplate',
  route: 'POST /api/group/:id/agent-template',
  summary: 'Assign an agent template to a group, in the place of the one it has',
  description: '201 when it is new to the group, 200 when nothing changed.',
  role: 'group.write',
  params: GroupPath,
  body: AssignAgentTemplateRequest,
  returns: { ...created(GroupAgentTemplateAssignment), ...ok(GroupAgentTemplateAssignment) },
  problems: [groupNotFound, packageNotFound, specialGroup, wrongEndpointForType],
  async handle({ params, body: { packageId, skipIfInherited }, db }) {
    const group = await pinGroup(db, params.id)
    const template = await pinPackage(db, packageId)
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    requireEndpoint(template, 'agent-template')
    const { status, outcome } = await assignSingle(db, 'agentTemplate', group.id, template.id, skipIfInherited)
    return new Answer(status, { groupId: group.id, packageId: template.id, ...outcome })
  },
})
