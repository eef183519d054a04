import { ok, operation } from '../../../platform/operation.ts'
import { upgradeNotFound } from '../problems.ts'
import { getUpgrade } from '../upgrade-records.ts'
import { PackageUpgrade, UpgradePath } from './schemas.ts'

export const getPackageUpgrade = operation({
  id: 'getPackageUpgrade',
  route: 'GET /api/package-upgrades/:id',
  summary: 'Get an upgrade with its groups and rollouts',
  role: 'package.read',
  params: UpgradePath,
  returns: ok(PackageUpgrade),
  problems: [upgradeNotFound],
  unversioned: ['state', 'rollouts'],
  extension: true,
  handle: ({ params: { id }, db }) => getUpgrade(db, id),
})
