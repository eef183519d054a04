import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { definitionRows } from '../../definition-rows.ts'
import { hasVariableName } from '../../definitions.ts'
import { VariableDefinition, VariableDefinitionSearchFilter, variableKinds } from './schemas.ts'

export const searchVariableDefinitions = operation({
  id: 'searchVariableDefinitions',
  route: 'POST /api/variable-definitions/search',
  summary: 'Search for variable definitions',
  description:
    'Returns the definitions that meet all criteria, regardless of case. Several variables can have the same designation; a dotted name is unique.',
  role: 'package.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: VariableDefinitionSearchFilter,
  returns: ok(pagedResultOf(VariableDefinition)),
  handle(call) {
    const { body, db } = call
    let found = definitionRows(db)
    if (typeof body.name === 'string') found = found.where(hasVariableName('definition', body.name))
    if (typeof body.nameContains === 'string')
      found = found.where('definition.dotted_name', 'ilike', containing(body.nameContains))
    if (typeof body.kind === 'string') found = found.where('definition.kind', '=', parseKind(body.kind))
    return pageOf(call, found, { columns: ['varId'] })
  },
})

function parseKind(name: string): string {
  const kind = variableKinds.find((known) => known.toLowerCase() === name.toLowerCase())
  if (!kind) throw invalidPart('body', 'kind', `must be one of ${variableKinds.join(', ')}`)
  return kind
}
