import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { contentLine } from '../../deployments/activation/planned-content.ts'
import { rollBackImpossible, upgradeExpired, upgradeNotFound, upgradeRolledBack } from '../problems.ts'
import { reachedComputers } from '../reached-computers.ts'
import { rollBackUpgrade } from '../roll-back.ts'
import { getUpgrade } from '../upgrade-records.ts'
import { getPackageUpgrade } from './get-package-upgrade.ts'
import { RolledBackUpgrade, UpgradePath } from './schemas.ts'

type Request = { params: { id: string } }

export const rollBackPackageUpgrade = operation({
  id: 'rollBackPackageUpgrade',
  route: 'POST /api/package-upgrades/:id/roll-back',
  summary: 'Bring the previous version back to the computers that an upgrade has reached',
  description:
    'In one transaction, the rollouts of the upgrade end, its groups have the version again that they had, pending work with ' +
    'the new version is withdrawn, and a rollout of one ring begins for exactly the computers that have the new version ' +
    'through the upgrade, or whose agents may be installing it, and for those from which it has only removed the previous ' +
    'version. On each of them the new version is uninstalled, if it has a command for that, and then the previous one is ' +
    'installed. A group that cannot go back keeps what it has, with the reason ' +
    'in `obstacle`; answers 409 if none can. The removals count against the quota of the caller.',
  role: 'activation.execute',
  alsoRequires: ['group.write'],
  execution: { kind: 'LongChange' },
  massAction: {
    computers: ({ params }: Request) =>
      sql<{ computer_id: number }>`select computer_id from (${reachedComputers(params.id)}) as reached`,
    groups: ({ params }: Request) =>
      sql<{ group_id: string }>`select group_id from package_upgrade_groups where upgrade_id = ${params.id}`,
    async lock(db: Database, { params }: Request): Promise<void> {
      await sql`select from rollouts where upgrade_id = ${params.id} order by id for update`.execute(db)
    },
  },
  removals: 'Published',
  content: ({ params }) => sql`
    select ${contentLine(sql`'Uninstall'`, 'p')} as line
    from package_upgrades upgrade join packages p on p.id = upgrade.package_id where upgrade.id = ${params.id}
    union
    -- Work that takes the place of another version is an update for the rules, and an installation for the agent.
    select ${contentLine(sql.ref('planned.kind'), 'p')}
    from package_upgrade_groups own join packages p on p.id = own.old_package_id cross join unnest(array['Install', 'Update']) as planned (kind)
    where own.upgrade_id = ${params.id}`,
  params: UpgradePath,
  returns: ok(RolledBackUpgrade),
  problems: [upgradeNotFound, upgradeRolledBack, upgradeExpired, rollBackImpossible],
  extension: true,
  shows: getPackageUpgrade,
  async handle({ params: { id }, db, caller: { principal }, countRemovals, approvedContent = null }) {
    const requestedBy = { id: principal.id, name: principal.name }
    const result = await rollBackUpgrade(db, { upgradeId: id, requestedBy, countRemovals, approvedContent })
    return { ...result, upgrade: await getUpgrade(db, id) }
  },
})
