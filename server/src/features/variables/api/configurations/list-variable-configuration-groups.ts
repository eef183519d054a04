import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { Group } from '../../../groups/api/schemas.ts'
import { variableConfigurationNotFound } from './problems.ts'
import { VariableConfigurationPath } from './schemas.ts'

export const listVariableConfigurationGroups = operation({
  id: 'listVariableConfigurationGroups',
  route: 'GET /api/variable-configurations/:id/groups',
  summary: 'List the groups that a variable configuration is assigned to',
  description: 'Groups below them, which inherit its values, are not listed.',
  role: 'package.read',
  params: VariableConfigurationPath,
  query: closed(paging),
  returns: ok(pagedResultOf(Group)),
  problems: [variableConfigurationNotFound],
  async handle(call) {
    const { params, db } = call
    const configuration = await db
      .selectFrom('variable_configurations')
      .select('id')
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (!configuration) throw variableConfigurationNotFound({ configId: params.id })
    const groups = db
      .selectFrom('group_variable_configurations as assignment')
      .innerJoin('groups', 'groups.id', 'assignment.group_id')
      .select([
        'groups.id',
        'groups.name',
        'groups.tree as assignedToTree',
        'groups.parent_id as parentId',
        'groups.description',
      ])
      .where('assignment.configuration_id', '=', params.id)
    return pageOf(call, groups, { columns: ['id'] })
  },
})
