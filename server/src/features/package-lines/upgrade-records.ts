import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { upgradeNotFound } from './problems.ts'

export const upgradeStates = ['Running', 'Paused', 'Completed', 'Cancelled', 'RollingBack', 'RolledBack'] as const

export type UpgradeRecord = {
  upgradeId: string
  packageId: string
  /** Null if the package was deleted. */
  name: string | null
  version: string | null
  createdBy: string
  createdAtUtc: Date
  rolledBackBy: string | null
  rolledBackAtUtc: Date | null
  state: (typeof upgradeStates)[number]
  groups: { groupId: string; path: string | null; oldPackageId: string; oldVersion: string | null }[]
  rollouts: UpgradeRollout[]
}

export type UpgradeRollout = {
  rolloutId: string
  name: string
  groupId: string
  state: 'Running' | 'Paused' | 'CatchingUp' | 'Completed' | 'Cancelled'
  isRollBack: boolean
  computerCount: number
  succeededCount: number
}

const isOpenState = (state: string) => sql`exists (
  select from rollouts own
  where own.upgrade_id = upgrade.id and own.state = ${sql.lit(state)} and own.ended_at is null
    and (own.rolled_back_package_id is not null) = (upgrade.rolled_back_at is not null))`

const stateColumn = sql`case
  when upgrade.rolled_back_at is not null then
    case when ${isOpenState('Running')} or ${isOpenState('Paused')} then 'RollingBack' else 'RolledBack' end
  when ${isOpenState('Paused')} then 'Paused'
  when ${isOpenState('Running')} then 'Running'
  when exists (select from rollouts own where own.upgrade_id = upgrade.id and own.state = 'Cancelled') then 'Cancelled'
  else 'Completed' end`

/** Upgrades with their groups and rollouts. */
export function upgradeRows(db: Database) {
  return db
    .selectFrom('package_upgrades as upgrade')
    .leftJoin('packages', 'packages.id', 'upgrade.package_id')
    .select([
      'upgrade.id as upgradeId',
      'upgrade.package_id as packageId',
      'upgrade.line_key as lineKey',
      'packages.name',
      'packages.version',
      'upgrade.created_by as createdBy',
      'upgrade.created_at as createdAtUtc',
      'upgrade.rolled_back_by as rolledBackBy',
      'upgrade.rolled_back_at as rolledBackAtUtc',
      sql<UpgradeRecord['state']>`${stateColumn}`.as('state'),
      sql<UpgradeRecord['groups']>`(
        select coalesce(jsonb_agg(jsonb_build_object('groupId', own.group_id, 'path', groups.path,
          'oldPackageId', own.old_package_id, 'oldVersion', old.version) order by groups.path, own.group_id), '[]')
        from package_upgrade_groups own
          left join groups on groups.id = own.group_id
          left join packages old on old.id = own.old_package_id
        where own.upgrade_id = upgrade.id)`.as('groups'),
      sql<UpgradeRecord['rollouts']>`(
        select coalesce(jsonb_agg(jsonb_build_object('rolloutId', own.id, 'name', own.name, 'groupId', own.group_id,
          'state', own.state, 'isRollBack', own.rolled_back_package_id is not null,
          'computerCount', counted.total, 'succeededCount', counted.succeeded) order by own.created_at, own.name), '[]')
        from rollouts own cross join lateral (
          select count(*) as total, count(*) filter (where state = 'Succeeded') as succeeded
          from rollout_computers where rollout_id = own.id
        ) as counted
        where own.upgrade_id = upgrade.id)`.as('rollouts'),
    ])
}

export async function getUpgrade(db: Database, upgradeId: string): Promise<UpgradeRecord> {
  const found = await upgradeRows(db).where('upgrade.id', '=', upgradeId).executeTakeFirst()
  if (!found) throw upgradeNotFound({ upgradeId })
  const { lineKey: _, ...record } = found
  return record
}
