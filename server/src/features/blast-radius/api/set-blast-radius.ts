import { ok, operation } from '../../../platform/operation.ts'
import { getBlastRadius } from './get-blast-radius.ts'
import { BlastRadius } from './schemas.ts'

export const setBlastRadius = operation({
  id: 'setBlastRadius',
  route: 'PUT /api/blast-radius',
  summary: 'Change the hourly quotas for destructive actions',
  description:
    'A destructive action that would exceed the quota of its caller answers 409 and waits for the approval of a second ' +
    'principal. 0 demands an approval for every destructive action. The quotas take effect with the next request.',
  role: 'admin.manage',
  body: BlastRadius,
  returns: ok(BlastRadius),
  changes: getBlastRadius,
  extension: true,
  handle: ({ body, db }) =>
    db
      .updateTable('installation')
      .set({ api_quota: body.apiQuota, console_quota: body.consoleQuota })
      .returning(['api_quota as apiQuota', 'console_quota as consoleQuota'])
      .executeTakeFirstOrThrow(),
})
