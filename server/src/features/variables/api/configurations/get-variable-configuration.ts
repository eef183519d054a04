import { ok, operation } from '../../../../platform/operation.ts'
import { visibleValue } from '../../visible-value.ts'
import { variableConfigurationNotFound } from './problems.ts'
import { VariableConfigurationDetail, VariableConfigurationPath } from './schemas.ts'

export const getVariableConfiguration = operation({
  id: 'getVariableConfiguration',
  route: 'GET /api/variable-configurations/:id',
  summary: 'Get a variable configuration with its values',
  role: 'package.read',
  params: VariableConfigurationPath,
  returns: ok(VariableConfigurationDetail),
  problems: [variableConfigurationNotFound],
  async handle({ params, db }) {
    const configuration = await db
      .selectFrom('variable_configurations')
      .select(['id', 'name', 'description'])
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (!configuration) throw variableConfigurationNotFound({ configId: params.id })
    const values = await db
      .selectFrom('variable_configuration_values as stored')
      .innerJoin('variable_definitions as definition', 'definition.id', 'stored.variable_id')
      .select([
        'definition.id as varId',
        'definition.designation',
        'definition.dotted_name as dottedName',
        visibleValue('definition', 'stored').as('value'),
        'stored.schedule',
        'definition.is_secret as isSecret',
      ])
      .where('stored.configuration_id', '=', params.id)
      .orderBy('definition.id')
      .execute()
    return { ...configuration, values }
  },
})
