import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { getFreeze } from './get-freeze.ts'
import { Freeze, FreezeRequest } from './schemas.ts'

export const setFreeze = operation({
  id: 'setFreeze',
  route: 'PUT /api/freeze',
  summary: 'Stop or resume the hand-out of new work',
  description:
    'While the installation is frozen, agents get no new work, do not start work that they have not started yet, and no ' +
    'computer boots from the network. It takes effect at the next contact of each agent, on every node. Work that has ' +
    'started continues and reports its result. Work can still be requested: it waits. A freeze needs a reason.',
  role: 'admin.manage',
  body: FreezeRequest,
  returns: ok(Freeze),
  changes: getFreeze,
  extension: true,
  handle({ body: { frozen, reason = null }, db, caller }) {
    if (frozen && reason === null) throw invalidPart('body', 'reason', 'is required to freeze')
    return db
      .updateTable('installation')
      .set({
        // Freezing again changes the reason only.
        frozen_at: frozen ? sql`coalesce(frozen_at, now())` : null,
        frozen_by: frozen ? sql`coalesce(frozen_by, ${caller.principal.name})` : null,
        freeze_reason: frozen ? reason : null,
      })
      .returning([
        sql<boolean>`frozen_at is not null`.as('frozen'),
        'freeze_reason as reason',
        'frozen_at as frozenAtUtc',
        'frozen_by as frozenBy',
      ])
      .executeTakeFirstOrThrow()
  },
})
