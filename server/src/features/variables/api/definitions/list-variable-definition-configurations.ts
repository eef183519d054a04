import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { requireVariable, variableNotFound } from '../../definitions.ts'
import { visibleValue } from '../../visible-value.ts'
import { ConfiguredVariable } from '../configurations/schemas.ts'
import { VariablePath } from './schemas.ts'

export const listVariableDefinitionConfigurations = operation({
  id: 'listVariableDefinitionConfigurations',
  route: 'GET /api/variable-definitions/:varId/variable-configurations',
  summary: 'List the variable configurations that set a variable',
  role: 'package.read',
  params: VariablePath,
  query: closed(paging),
  returns: ok(pagedResultOf(ConfiguredVariable)),
  problems: [variableNotFound],
  async handle(call) {
    const { params, db } = call
    await requireVariable(db, params.varId)
    const configurations = db
      .selectFrom('variable_configuration_values as stored')
      .innerJoin('variable_configurations as configuration', 'configuration.id', 'stored.configuration_id')
      .innerJoin('variable_definitions as definition', 'definition.id', 'stored.variable_id')
      .where('stored.variable_id', '=', params.varId)
      .select([
        'configuration.id',
        'configuration.name',
        'configuration.description',
        visibleValue('definition', 'stored').as('value'),
        'stored.schedule',
        'definition.is_secret as isSecret',
      ])
    return pageOf(call, configurations, { columns: ['id'] })
  },
})
