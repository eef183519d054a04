import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { unmetRequirement } from '../assignments/required-packages.ts'
import { dueWork, type WorkBit } from '../deployments/activation/due-work.ts'
import { loadReachableOptions } from '../deployments/activation/reachable-options.ts'
import { isInstallable } from '../work-states/applicability.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import type { SubjectPackage } from './package-state.ts'

type Computers = RawBuilder<{ owner_id: number }>

export type SettledCounts = {
  installed: number
  failed: number
  notApplicable: number
  notActivated: number
  nothingToDo: number
}

type StateRow = { installed: number; failed: number; not_applicable: number; not_activated: number; activated: number }

/** Counts the computers to which the package is assigned and that have no open work with it. */
export async function countSettled(
  db: Database,
  assigned: Computers,
  { id, kind, is_pre_os }: SubjectPackage,
): Promise<SettledCounts> {
  const bit: WorkBit = is_pre_os || kind === 'OperatingSystem' ? 'pxe' : 'software'
  const { rows } = await sql<StateRow>`
    select count(*) filter (where state = 'Installed')::integer as installed,
      count(*) filter (where state = 'Failed')::integer as failed,
      count(*) filter (where state = 'NotApplicable')::integer as not_applicable,
      count(*) filter (where state = 'Other' and not is_activated)::integer as not_activated,
      count(*) filter (where state = 'Other' and is_activated)::integer as activated
    from (${settledComputers(assigned, id, bit)}) as settled`.execute(db)
  const { installed, failed, not_applicable, not_activated, activated } = rows[0] ?? noRow()
  // Work follows from assignments only at an activation: what became due since then waits for the next one.
  const due = activated > 0 && kind !== 'PatchFix' ? await countDue(db, assigned, id, bit) : 0
  return {
    installed,
    failed,
    notApplicable: not_applicable,
    notActivated: not_activated + due,
    nothingToDo: activated - due,
  }
}

function noRow(): never {
  throw new Error('An aggregate without a group by returns one row.')
}

function settledComputers(
  assigned: Computers,
  packageId: string,
  bit: WorkBit,
): RawBuilder<{
  computer_id: number
  state: 'Installed' | 'Failed' | 'NotApplicable' | 'Other'
  is_activated: boolean
}> {
  return sql`
    select scope.owner_id as computer_id, case
        when d.status = 'Failed' then 'Failed' when d.installation_state = 'Installed' then 'Installed'
        when not ${isInstallable('packages', 'platform')}
          or ${unmetRequirement(sql`scope.owner_id`, sql`packages.id`)} is not null then 'NotApplicable' else 'Other' end as state,
      activated.computer_id is not null as is_activated
    from (${assigned}) as scope
      join packages on packages.id = ${packageId}
      join computer_platforms platform on platform.computer_id = scope.owner_id
      left join deployments d on d.package_id = ${packageId} and d.computer_id = scope.owner_id
      left join (select distinct computer_id from activations where ${sql.ref(bit)}) as activated
        on activated.computer_id = scope.owner_id
      left join work w on w.package_id = ${packageId} and w.computer_id = scope.owner_id and ${isOpenWork('w.state')}
    where w.id is null`
}

async function countDue(db: Database, assigned: Computers, packageId: string, bit: WorkBit): Promise<number> {
  const activated = sql<{ owner_id: number }>`
    select computer_id as owner_id from (${settledComputers(assigned, packageId, bit)}) as settled
    where state = 'Other' and is_activated`
  const options = await loadReachableOptions(db, activated, new Date())
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${dueWork(bit, activated, options, undefined, 'any')}) as due
    where due.package_id = ${packageId}`.execute(db)
  return rows[0]?.count ?? 0
}
