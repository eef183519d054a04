import { ok, operation } from '../../../platform/operation.ts'
import { PackagePath } from '../../packages/api/schemas.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { notInLine } from '../problems.ts'
import { proposeUpgrade } from '../upgrade-proposal.ts'
import { UpgradeProposalSchema } from './schemas.ts'

export const getUpgradeProposal = operation({
  id: 'getUpgradeProposal',
  route: 'GET /api/packages/:id/upgrade-proposal',
  summary: 'List the groups that have an older version of a package, for an upgrade',
  role: 'package.read',
  execution: { kind: 'FleetRead' },
  params: PackagePath,
  returns: ok(UpgradeProposalSchema),
  problems: [packageNotFound, notInLine],
  extension: true,
  async handle({ params: { id }, db }) {
    const { version: found, groups } = await proposeUpgrade(db, id.toLowerCase())
    const { name, version, operational, hashState } = found
    return {
      packageId: found.id,
      name,
      version,
      isReleased: operational && hashState === 'Current',
      groups: groups.map(({ groupId, path, old, computerCount, obstacle }) => ({
        ...{ groupId, path, computerCount, obstacle },
        oldPackageId: old.id,
        oldVersion: old.version,
      })),
    }
  },
})
