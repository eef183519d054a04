import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { explainMeasured, measuredPatches, summariseCompliance } from '../overdue-patches.ts'
import { ComputerPatchCompliance } from './compliance-schemas.ts'

export const listComputerPatchCompliance = operation({
  id: 'listComputerPatchCompliance',
  route: 'GET /api/computer/:id/patch-compliance',
  summary: 'List why a computer is not within the SLA of patches',
  description:
    'The missing patches of the last scan, the most overdue first, each with the reason why it is still missing: what ' +
    'decides about it, and for a released one what keeps its installation waiting, as explainComputer says it. The SLA that counts is ' +
    'the present one.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    ...paging,
    overdue: Type.Optional(
      Type.Boolean({ examples: [true], description: 'Only patches beyond their SLA, or only the others' }),
    ),
  }),
  returns: ok(ComputerPatchCompliance),
  problems: [computerNotFound],
  extension: true,
  async handle(call) {
    const { params, query, db } = call
    await requireComputer(db, params.id)
    let patches = measuredPatches(db, params.id)
    if (query.overdue !== undefined)
      patches = patches.where(sql<boolean>`(coalesce("daysOverdue", 0) > 0) = ${query.overdue}::boolean`)
    const order = { columns: ['dueRank', 'patchId', 'productId'], descending: true } as const
    const page = await pageOf(call, patches, order)
    return {
      ...page,
      items: await explainMeasured(db, params.id, page.items),
      ...(await summariseCompliance(db, params.id)),
    }
  },
})
