import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, Uuid } from '../../../platform/schema.ts'
import { patchImportNotFound } from './problems.ts'
import { PatchCatalogImportStatus } from './schemas.ts'

const count = (column: 'documents' | 'imported' | 'without_fix' | 'unchanged' | 'refused') =>
  sql<number>`coalesce(${sql.ref(`patch_imports.${column}`)}, 0)`

export const getPatchCatalogImport = operation({
  id: 'getPatchCatalogImport',
  route: 'GET /api/patches/import/:trackingId',
  summary: 'Get the progress and result of a patch catalog import',
  description:
    'Returns the counts of the documents that are processed so far and the reasons why documents were refused. The ' +
    'import has `Success` if at least one document was accepted. A finished import can be read for 30 days.',
  role: 'pm.read',
  extension: true,
  params: closed({ trackingId: Uuid }),
  returns: ok(PatchCatalogImportStatus),
  problems: [patchImportNotFound],
  async handle({ params: { trackingId }, db }) {
    const status = await db
      .selectFrom('background_jobs')
      .leftJoin('patch_imports', 'patch_imports.job_id', 'background_jobs.id')
      .select([
        'background_jobs.id as trackingId',
        sql<'Pending' | 'Running' | 'Success' | 'Failed'>`background_jobs.status`.as('status'),
        'background_jobs.message',
        'background_jobs.progress',
        count('documents').as('documents'),
        count('imported').as('imported'),
        count('without_fix').as('withoutFix'),
        count('unchanged').as('unchanged'),
        count('refused').as('refused'),
        sql<{ file: string; reason: string }[]>`coalesce(patch_imports.faults, '[]')`.as('faults'),
        'background_jobs.requested_at as requestedAtUtc',
        'background_jobs.finished_at as finishedAtUtc',
      ])
      .where('background_jobs.id', '=', trackingId)
      .where('background_jobs.queue', '=', 'patch-import')
      .executeTakeFirst()
    if (!status) throw patchImportNotFound({ trackingId })
    return status
  },
})
