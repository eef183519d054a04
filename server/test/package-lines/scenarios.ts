import { sql } from 'kysely'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

/** Two versions, and a group of one computer that has the first of them. */
async function twoVersions({ given, db }: World) {
  const [old, current] = [await given.package(ready), await given.package({ ...ready, version: '2.0' })]
  await sql`update packages set package_name = ${old.name} where id = ${current.id}`.execute(db)
  const group = await given.group({ tree: 'AssignmentGroups' })
  await given.assignment(group, old, 'package')
  await given.member(group, await given.computer())
  return { old, current, group }
}

const ready = { is_operational: true, hash_state: 'Current' }

const anyVersion: Scenario = async (world) => ({ params: { id: (await twoVersions(world)).current.id } })

/** An upgrade whose assignment and rollout exist, as the operation leaves them. */
const upgrade: Scenario = async (world) => {
  const { old, current, group } = await twoVersions(world)
  const { rows } = await sql<{ id: string }>`
    with upgrade as (
      insert into package_upgrades (package_id, line_key, created_by, created_by_id)
      select id, line_key, 'somebody', 1 from packages where id = ${current.id} returning id
    ), of_group as (
      insert into package_upgrade_groups (upgrade_id, group_id, old_package_id, rollout_group_id)
      select id, ${group.id}, ${old.id}, ${group.id} from upgrade
    ), rollout as (
      insert into rollouts (name, group_id, package_id, criteria, created_by, upgrade_id)
      select 'PDF viewer 24.2', ${group.id}, ${current.id}, '{}', 'somebody', id from upgrade
    ), replaced as (
      update group_packages set package_id = ${current.id} where group_id = ${group.id}
    )
    select id from upgrade`.execute(world.db)
  return { params: { id: rows[0]?.id } }
}

export const packageLinesScenarios: Record<string, Scenario> = {
  getPackageLine: anyVersion,
  setPackageLine: async (world) => ({ ...(await anyVersion(world)), body: { line: '7-Zip' } }),
  getUpgradeProposal: anyVersion,
  createPackageUpgrade: async (world) => {
    const { current, group } = await twoVersions(world)
    return { params: { id: current.id }, body: { groupIds: [group.id] } }
  },
  getPackageUpgrade: upgrade,
  rollBackPackageUpgrade: upgrade,
  deleteUnusedPackages: async ({ given }) => ({ body: { packageIds: [(await given.package()).id] } }),
}
