import { sql } from 'kysely'
import { created, operation } from '../../../platform/operation.ts'
import type { Static } from '../../../platform/schema.ts'
import { contentLine } from '../../deployments/activation/planned-content.ts'
import { computersBelow } from '../../groups/affected-computers.ts'
import { PackagePath } from '../../packages/api/schemas.ts'
import { packageNotFound, packageNotReleased } from '../../packages/problems.ts'
import { parseRolloutSettings } from '../../rollouts/parse-rollout.ts'
import { lastOfSite, ringTooLarge } from '../../rollouts/problems.ts'
import { groupNotUpgradable, noOlderVersion, notInLine, rolloutRunning } from '../problems.ts'
import { startUpgrade } from '../start-upgrade.ts'
import { getUpgrade } from '../upgrade-records.ts'
import { getPackageUpgrade } from './get-package-upgrade.ts'
import { CreateUpgradeRequest, PackageUpgrade } from './schemas.ts'

type Request = { body: Static<typeof CreateUpgradeRequest> }

const groupsOf = ({ body }: Request) => sql<{ group_id: string }>`select unnest(${body.groupIds}::uuid[]) as group_id`

const defaultRings = [{ name: '1', percent: 10 }, { name: '2' }]

export const createPackageUpgrade = operation({
  id: 'createPackageUpgrade',
  route: 'POST /api/packages/:id/upgrade',
  summary: 'Bring a version to the groups that have an older one, ring by ring',
  description:
    'In one transaction, the package takes the place of the older versions that the groups have assigned directly, with their ' +
    'distribution options, and a rollout of the package begins in each of them; a group below another one of the list is part ' +
    'of the rollout of that group. A computer gets the version only when its ring opens: an activation does not bring it ' +
    'before, nor does convergence. The next ring opens when the results of the one before are good in all groups. A dry run ' +
    'answers what the rollouts would be. Answers 409 while a rollout of an older version has not finished its rings.',
  role: 'activation.execute',
  alsoRequires: ['group.write'],
  execution: { kind: 'LongChange' },
  massAction: { computers: (request: Request) => computersBelow(groupsOf(request)), groups: groupsOf },
  removals: 'Published',
  content: ({ params }) => sql`
    select ${contentLine(sql.ref('planned.kind'), 'p')} as line
    from packages p, unnest(array['Install', 'Update', 'Reinstall', 'Uninstall']) as planned (kind) where p.id = ${params.id}`,
  params: PackagePath,
  body: CreateUpgradeRequest,
  returns: created(PackageUpgrade),
  problems: [
    packageNotFound,
    notInLine,
    packageNotReleased,
    noOlderVersion,
    groupNotUpgradable,
    rolloutRunning,
    ringTooLarge,
    lastOfSite,
  ],
  extension: true,
  shows: getPackageUpgrade,
  async handle({
    params,
    body,
    db,
    caller,
    setHeader,
    services: { configuration },
    approvedContent = null,
    countRemovals,
  }) {
    const { groupIds, rings = defaultRings, ...settings } = body
    const upgradeId = await startUpgrade(db, {
      packageId: params.id.toLowerCase(),
      groupIds: groupIds.map((id) => id.toLowerCase()),
      rollout: await parseRolloutSettings(db, { ...settings, rings }),
      createdBy: { id: caller.principal.id, name: caller.principal.name },
      guard: { maxRingPercent: configuration.maxRingPercent, isLastOfSiteAllowed: body.allowLastOfSite === true },
      countRemovals,
      approvedContent,
    })
    // Principals who may not read the upgrade can still roll it back.
    setHeader('location', `/api/package-upgrades/${upgradeId}`)
    return getUpgrade(db, upgradeId)
  },
})
