import { ok, operation } from '../../../platform/operation.ts'
import { listUnusedVersions } from '../clean-up.ts'
import { UnusedPackages } from './schemas.ts'

export const listUnusedPackages = operation({
  id: 'listUnusedPackages',
  route: 'GET /api/package-lines/unused',
  summary: 'List versions that nothing refers to, and what their deletion frees',
  description:
    'Unused and superseded versions that no group and no software class assigns, that no computer is known to have or to wait ' +
    'for, and that no running rollout and no rollback needs. The last version that another package requires is not listed.',
  role: 'package.read',
  execution: { kind: 'FleetRead' },
  returns: ok(UnusedPackages),
  extension: true,
  handle: ({ db }) => listUnusedVersions(db),
})
