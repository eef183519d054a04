import { sql } from 'kysely'
import { containing } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { getPolicyRow } from '../policies.ts'
import { progressRows, toProgressAnswer } from '../progress.ts'
import { patchPolicyNotFound } from './problems.ts'
import { PatchProgress, PatchProgressStateName } from './progress-schemas.ts'
import { PatchPolicyPath } from './schemas.ts'

export const listPatchPolicyProgress = operation({
  id: 'listPatchPolicyProgress',
  route: 'GET /api/patch-policies/:id/progress',
  summary: 'List how far a patch policy has released its patches',
  description:
    'Says for each patch which ring is open, how many computers of each ring have it, lack it or failed, and whether it is paused or ' +
    'stopped. A patch of a policy without rings is listed only after somebody paused or stopped it. The last patches come first.',
  role: 'pm.read',
  params: PatchPolicyPath,
  query: closed({
    ...paging,
    nameContains: Type.Optional(text(255, 'openssl', 'Only patches whose name contains this text')),
    state: Type.Optional(
      Type.Array(PatchProgressStateName, { maxItems: 5, examples: [['Paused']], description: 'Only these states' }),
    ),
  }),
  returns: ok(pagedResultOf(PatchProgress)),
  problems: [patchPolicyNotFound],
  extension: true,
  async handle(call) {
    const { params, query, db } = call
    await getPolicyRow(db, params.id)
    let rows = progressRows(db, params.id)
    if (query.nameContains) rows = rows.where('patchName', 'ilike', containing(query.nameContains))
    if (query.state) rows = rows.where(sql<boolean>`state = any(${query.state}::text[])`)
    const page = await pageOf(call, rows, { columns: ['patchId', 'productId'], descending: true })
    return { ...page, items: page.items.map(toProgressAnswer) }
  },
})
