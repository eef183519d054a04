import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { Freeze } from './schemas.ts'

export const getFreeze = operation({
  id: 'getFreeze',
  route: 'GET /api/freeze',
  summary: 'Get whether the hand-out of new work is stopped',
  role: 'any valid token',
  returns: ok(Freeze),
  extension: true,
  handle: ({ db }) =>
    db
      .selectFrom('installation')
      .select([
        sql<boolean>`frozen_at is not null`.as('frozen'),
        'freeze_reason as reason',
        'frozen_at as frozenAtUtc',
        'frozen_by as frozenBy',
      ])
      .executeTakeFirstOrThrow(),
})
