import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { requireVariable, variableNotFound } from '../../definitions.ts'
import { explicitValues } from '../../explicit-values.ts'
import { visibleValue } from '../../visible-value.ts'
import { VariableComputer, VariablePath } from './schemas.ts'

export const listVariableDefinitionComputers = operation({
  id: 'listVariableDefinitionComputers',
  route: 'GET /api/variable-definitions/:varId/computers',
  summary: 'List the computers that have their own value of a variable',
  description:
    'Inherited values are not included. If the variable is a collection or a child of one, a computer is listed once per entry.',
  role: 'package.read',
  params: VariablePath,
  query: closed(paging),
  returns: ok(pagedResultOf(VariableComputer)),
  problems: [variableNotFound],
  async handle(call) {
    const { params, db } = call
    await requireVariable(db, params.varId)
    const computers = db
      .selectFrom(explicitValues('computer', params.varId).as('explicit'))
      .innerJoin('computers', (join) => join.on(sql<boolean>`computers.id = explicit.owner_id`))
      .innerJoin('variable_definitions as definition', (join) => join.on('definition.id', '=', params.varId))
      .select([
        'computers.id',
        'computers.name as hostname',
        'computers.domain',
        visibleValue('definition', 'explicit').as('value'),
        'explicit.schedule',
        'definition.is_secret as isSecret',
        sql<number | null>`nullif(explicit.entry_id, 0)`.as('collectionId'),
        'explicit.entry_id as entry',
      ])
    return pageOf(call, computers, { columns: ['id', 'entry'] })
  },
})
