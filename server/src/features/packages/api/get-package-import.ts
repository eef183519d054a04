import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, Uuid } from '../../../platform/schema.ts'
import { importNotFound } from './problems.ts'
import { PackageImportStatus } from './schemas.ts'

export const getPackageImport = operation({
  id: 'getPackageImport',
  route: 'GET /api/packages/import/:trackingId',
  summary: 'Get the progress and result of an import or a hash generation',
  description:
    'Finished jobs can be read for 30 days. A failed job explains in `message` what to correct, and a ' +
    'job that an interruption made pending again, why it waits.',
  role: 'package.read',
  params: closed({ trackingId: Uuid }),
  returns: ok(PackageImportStatus),
  problems: [importNotFound],
  async handle({ params: { trackingId }, db }) {
    const found = await db
      .selectFrom('background_jobs')
      .select([
        'id as trackingId',
        sql<'Pending' | 'Running' | 'Success' | 'Failed'>`status`.as('status'),
        'message',
        'progress',
        'package_id as packageId',
        'requested_at as requestedAtUtc',
        'finished_at as finishedAtUtc',
        sql<{ atUtc: Date; text: string }[]>`log`.as('log'),
      ])
      .where('id', '=', trackingId)
      .where('queue', 'in', ['package-import', 'package-hash', 'package-upload'])
      .executeTakeFirst()
    if (!found) throw importNotFound({ trackingId })
    return found
  },
})
