import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { definitionRows } from '../../definition-rows.ts'
import { isCalled } from '../../definitions.ts'
import { VariableDefinition, VariableDefinitionSearchFilter, variableKinds } from './schemas.ts'

export const searchVariableDefinitions = operation({
  id: 'searchVariableDefinitions',
  route: 'POST /api/variable-definitions/search',
  summary: 'Find variables by name or kind',
  description: 'A designation can be that of several variables; a dotted name is that of one. Case does not matter.',
  role: 'package.read',
  readonly: true,
  query: closed(paging),
  body: VariableDefinitionSearchFilter,
  returns: ok(pagedResultOf(VariableDefinition)),
  handle(call) {
    const { body, db } = call
    let found = definitionRows(db)
    if (typeof body.name === 'string') found = found.where(isCalled(body.name))
    if (typeof body.nameContains === 'string')
      found = found.where('definition.dotted_name', 'ilike', containing(body.nameContains))
    if (typeof body.kind === 'string') found = found.where('definition.kind', '=', kindNamed(body.kind))
    return pageOf(call, found, { columns: ['varId'] })
  },
})

function kindNamed(name: string): string {
  const kind = variableKinds.find((known) => known.toLowerCase() === name.toLowerCase())
  if (!kind) throw invalidPart('body', 'kind', `must be one of ${variableKinds.join(', ')}`)
  return kind
}
