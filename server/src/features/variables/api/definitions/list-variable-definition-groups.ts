import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { requireVariable, variableNotFound } from '../../definitions.ts'
import { explicitValues } from '../../explicit-values.ts'
import { visibleValue } from '../../visible-value.ts'
import { VariableGroup, VariablePath } from './schemas.ts'

export const listVariableDefinitionGroups = operation({
  id: 'listVariableDefinitionGroups',
  route: 'GET /api/variable-definitions/:varId/groups',
  summary: 'List the groups that have their own value of a variable',
  description:
    'Inherited values are not included. If the variable is a collection or a child of one, a group is listed once per entry.',
  role: 'package.read',
  params: VariablePath,
  query: closed(paging),
  returns: ok(pagedResultOf(VariableGroup)),
  problems: [variableNotFound],
  async handle(call) {
    const { params, db } = call
    await requireVariable(db, params.varId)
    const groups = db
      .selectFrom(explicitValues('group', params.varId).as('explicit'))
      .innerJoin('groups', (join) => join.on(sql<boolean>`groups.id = explicit.owner_id`))
      .innerJoin('variable_definitions as definition', (join) => join.on('definition.id', '=', params.varId))
      .select([
        'groups.id',
        'groups.name',
        'groups.path',
        'groups.tree as assignedToTree',
        visibleValue('definition', 'explicit').as('value'),
        'explicit.schedule',
        'definition.is_secret as isSecret',
        sql<number | null>`nullif(explicit.entry_id, 0)`.as('collectionId'),
        'explicit.is_forced as forced',
        'explicit.entry_id as entry',
      ])
    return pageOf(call, groups, { columns: ['id', 'entry'] })
  },
})
