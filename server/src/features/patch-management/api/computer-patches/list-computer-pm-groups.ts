import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computer-rows.ts'
import { type EffectivePmGroup, effectivePmGroups } from '../../../patches/effective-pm-groups.ts'
import type { PmGroupCategory } from '../../pm-groups.ts'
import { ComputerPmGroup } from './schemas.ts'

export const listComputerPmGroups = operation({
  id: 'listComputerPmGroups',
  route: 'GET /api/computer/:id/pm-groups',
  summary: 'List the patch management groups that hold for a computer, each with the group that brings it',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(ComputerPmGroup)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, db } = call
    const computer = sql<{ owner_id: number }>`select ${params.id}::integer as owner_id`
    const effective = sql<EffectivePmGroup>`(${effectivePmGroups(computer)})`.as('effective')
    const groups = db
      .selectFrom('pm_groups')
      .innerJoin(effective, 'effective.pm_group_id', 'pm_groups.id')
      .select([
        'effective.group_id as treeId',
        'pm_groups.id as pmGroupId',
        'pm_groups.name as pmGroupName',
        sql<PmGroupCategory>`pm_groups.category`.as('category'),
        'effective.is_test as isTestAssignment',
        'effective.distance as tier',
      ])
    const page = await pageOf(call, groups, { columns: ['pmGroupId'] })
    if (page.totalCount === 0) await requireComputer(db, params.id)
    return page
  },
})
