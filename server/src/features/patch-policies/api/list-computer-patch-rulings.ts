import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, enumOf, pagedResultOf, Type } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { ComputerPatchRuling } from '../../patches/api/ruling-schemas.ts'
import {
  type ComputerRuling,
  computerRulings,
  releaseStates,
  toRulingAnswer,
} from '../../patches/policies/computer-rulings.ts'

export const listComputerPatchRulings = operation({
  id: 'listComputerPatchRulings',
  route: 'GET /api/computer/:id/patch-rulings',
  summary: 'List the missing patches of a computer with what decides about them',
  description:
    'Says for each patch that the last scan found missing whether it is released, by what, or from when on. It is the same rule by ' +
    'which the agent gets its patches.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    ...paging,
    state: Type.Optional(
      Type.Array(enumOf(releaseStates), { maxItems: 9, examples: [['Waiting']], description: 'Only these states' }),
    ),
  }),
  returns: ok(pagedResultOf(ComputerPatchRuling)),
  problems: [computerNotFound],
  extension: true,
  async handle(call) {
    const { params, query, db } = call
    const rows = sql<ComputerRuling>`(${computerRulings(params.id)})`.as('ruling')
    let rulings = db.selectFrom(rows).selectAll()
    if (query.state) rulings = rulings.where(sql<boolean>`state = any(${query.state}::text[])`)
    const page = await pageOf(call, rulings, { columns: ['patchId', 'productId'] })
    if (page.totalCount === 0) await requireComputer(db, params.id)
    return { ...page, items: page.items.map(toRulingAnswer) }
  },
})
