import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { computerAsOwner } from '../../assignments/effective-assignments.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { effectivePolicyRows } from '../assignments.ts'
import { EffectivePatchPolicy } from './schemas.ts'

export const listComputerPatchPolicies = operation({
  id: 'listComputerPatchPolicies',
  route: 'GET /api/computer/:id/patch-policies',
  summary: 'List the patch policies of a computer, in the order in which they decide',
  description:
    'The first policy with a rule for a patch decides about it. Each policy is named once, with the nearest group.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(EffectivePatchPolicy)),
  problems: [computerNotFound],
  extension: true,
  async handle(call) {
    const { params, db } = call
    const policies = effectivePolicyRows(db, 'computer', computerAsOwner(params.id))
    const page = await pageOf(call, policies, { columns: ['place'] })
    if (page.totalCount === 0) await requireComputer(db, params.id)
    return { ...page, items: page.items.map(({ place: _, ...policy }) => policy) }
  },
})
