import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, enumOf, pagedResultOf, Type, text } from '../../../../platform/schema.ts'
import { countVariableUses } from '../../count-variable-uses.ts'
import { definitionRows } from '../../definition-rows.ts'
import { FleetVariable, variableKinds } from './schemas.ts'

export const listFleetVariables = operation({
  id: 'listFleetVariables',
  route: 'GET /api/fleet/variables',
  summary: 'List variable definitions with how much they are used',
  description:
    'Ordered by name, so a category is followed by what it has. `listVariableDefinitionComputers`, `…Groups`, ' +
    '`…Configurations` and `…Packages` list who uses one of them.',
  role: 'package.read',
  extension: true,
  query: closed({
    ...paging,
    search: Type.Optional(text(255, 'proxy', 'A part of the dotted name, regardless of case')),
    kind: Type.Optional(enumOf(variableKinds)),
  }),
  returns: ok(pagedResultOf(FleetVariable)),
  handle(call) {
    const { db, query } = call
    const { search, kind } = query
    let found = definitionRows(db)
    if (search) found = found.where('definition.dotted_name', 'ilike', containing(search))
    if (kind) found = found.where('definition.kind', '=', kind)
    return pageOf(call, found.select(countVariableUses('definition').as('uses')), { columns: ['dottedName'] })
  },
})
