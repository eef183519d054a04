import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { assignSingleToGroup } from '../../assign-to-group.ts'
import { pinPackage, requireEndpoint } from '../../assignable-package.ts'
import { wrongEndpointForType } from './problems.ts'
import { AssignAgentTemplateRequest, GroupAgentTemplateAssignment } from './schemas.ts'

export const assignGroupAgentTemplate = operation({
  id: 'assignGroupAgentTemplate',
  route: 'POST /api/group/:id/agent-template',
  summary: 'Assign an agent template to a group, replacing the current one',
  description:
    'A group has at most one agent template: another one that is assigned to the group is replaced. Answers 201 if ' +
    'the assignment is new and 200 if nothing changed. With `skipIfInherited`, nothing is stored if the group ' +
    'already inherits the same agent template. Reinstall, EOL and Restore groups are refused with 409. A package ' +
    'that is not an agent template is refused with 409, which names the right endpoint.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPath,
  body: AssignAgentTemplateRequest,
  returns: { ...created(GroupAgentTemplateAssignment), ...ok(GroupAgentTemplateAssignment) },
  problems: [groupNotFound, packageNotFound, specialGroup, wrongEndpointForType],
  async handle({ params, body: { packageId, skipIfInherited }, db }) {
    const group = await pinGroup(db, params.id)
    const template = await pinPackage(db, packageId)
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    requireEndpoint(template, 'agent-template')
    const { status, outcome } = await assignSingleToGroup(db, 'agentTemplate', group.id, template.id, skipIfInherited)
    return new Answer(status, { groupId: group.id, packageId: template.id, ...outcome })
  },
})
