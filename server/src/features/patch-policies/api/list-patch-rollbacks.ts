import { sql } from 'kysely'
import { containing } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Int32, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { rollbackRows, toRollbackAnswer } from '../../patches/policies/rollback-rows.ts'
import { getPolicyRow } from '../policies.ts'
import { patchPolicyNotFound } from './problems.ts'
import { PatchOfPolicyPath } from './progress-schemas.ts'
import { PatchRollbackOfComputer, PatchRollbackStateName } from './rollback-schemas.ts'

export const listPatchRollbacks = operation({
  id: 'listPatchRollbacks',
  route: 'GET /api/patch-policies/:id/progress/:patchId/rollbacks',
  summary: 'List the computers that roll a stopped patch back',
  description:
    'Returns the computers that still have to roll the patch back, have done so, or cannot, each with the reason. There are none ' +
    'unless the patch was stopped with `rollBack`.',
  role: 'pm.read',
  params: PatchOfPolicyPath,
  query: closed({
    ...paging,
    productId: Type.Optional({ ...Int32, examples: [3], description: 'Only for this product version; all by default' }),
    nameContains: Type.Optional(text(255, 'pc-00', 'Only computers whose name contains this text')),
    state: Type.Optional(
      Type.Array(PatchRollbackStateName, {
        maxItems: 3,
        examples: [['NotRolledBack']],
        description: 'Only these states',
      }),
    ),
  }),
  returns: ok(pagedResultOf(PatchRollbackOfComputer)),
  problems: [patchPolicyNotFound],
  extension: true,
  async handle(call) {
    const { params, query, db } = call
    await getPolicyRow(db, params.id)
    let rows = rollbackRows(db, { policyId: params.id, patchId: params.patchId })
    if (query.productId !== undefined) rows = rows.where('productId', '=', query.productId)
    if (query.nameContains) rows = rows.where('hostname', 'ilike', containing(query.nameContains))
    if (query.state) rows = rows.where(sql<boolean>`state = any(${query.state}::text[])`)
    const page = await pageOf(call, rows, { columns: ['clientId', 'productId'] })
    return { ...page, items: page.items.map(toRollbackAnswer) }
  },
})
