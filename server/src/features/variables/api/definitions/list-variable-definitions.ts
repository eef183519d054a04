import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { definitionRows } from '../../definition-rows.ts'
import { VariableDefinition } from './schemas.ts'

export const listVariableDefinitions = operation({
  id: 'listVariableDefinitions',
  route: 'GET /api/variable-definitions',
  summary: 'List variable definitions',
  description:
    'Lists all definitions of the catalog, including categories and collections, ordered by id. To create or change definitions, use applyCatalog.',
  role: 'package.read',
  query: closed(paging),
  returns: ok(pagedResultOf(VariableDefinition)),
  handle: (call) => pageOf(call, definitionRows(call.db), { columns: ['varId'] }),
})
