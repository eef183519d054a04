import { ok, operation } from '../../../platform/operation.ts'
import { BlastRadius } from './schemas.ts'

export const getBlastRadius = operation({
  id: 'getBlastRadius',
  route: 'GET /api/blast-radius',
  summary: 'Get the hourly quotas for destructive actions',
  description: 'The quotas apply to each principal and are counted over all nodes.',
  role: 'admin.manage',
  returns: ok(BlastRadius),
  extension: true,
  handle: ({ db }) =>
    db
      .selectFrom('installation')
      .select(['api_quota as apiQuota', 'console_quota as consoleQuota'])
      .executeTakeFirstOrThrow(),
})
