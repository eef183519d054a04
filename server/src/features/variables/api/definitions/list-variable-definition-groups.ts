import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { explicitValues, shownValue } from '../../definition-rows.ts'
import { requireVariable, variableNotFound } from '../../definitions.ts'
import { VariableGroup, VariablePath } from './schemas.ts'

export const listVariableDefinitionGroups = operation({
  id: 'listVariableDefinitionGroups',
  route: 'GET /api/variable-definitions/:varId/groups',
  summary: 'List the groups that have a value of their own for a variable',
  description: 'Where the variable is a collection or a child of one, a group is listed once for each of its entries.',
  role: 'package.read',
  params: VariablePath,
  query: closed(paging),
  returns: ok(pagedResultOf(VariableGroup)),
  problems: [variableNotFound],
  async handle(call) {
    const { params, db } = call
    await requireVariable(db, params.varId)
    const groups = db
      .selectFrom(explicitValues('group', params.varId).as('given'))
      .innerJoin('groups', (join) => join.on(sql<boolean>`groups.id = given.owner_id`))
      .innerJoin('variable_definitions as definition', (join) => join.on('definition.id', '=', params.varId))
      .select([
        'groups.id',
        'groups.name',
        'groups.tree as assignedToTree',
        shownValue.as('value'),
        'given.schedule',
        'definition.is_secret as isSecret',
        sql<number | null>`nullif(given.entry_id, 0)`.as('collectionId'),
        'given.is_forced as forced',
        'given.entry_id as entry',
      ])
    return pageOf(call, groups, { columns: ['id', 'entry'] })
  },
})
