import { sql } from 'kysely'
import { serviceVersion } from '../../../installation/version.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { System } from './schemas.ts'

export const getSystem = operation({
  id: 'getSystem',
  route: 'GET /api/system',
  summary: 'Get the versions of the service, its database and its patch catalog',
  description: 'The properties of the patch catalog are null before the first import of patches.',
  role: 'computer.read',
  returns: ok(System),
  async handle({ db }) {
    const { rows } = await sql<{ version: string; migration: string }>`
      select 'PostgreSQL ' || current_setting('server_version') as version,
        (select regexp_replace(max(name), '\\.sql$', '') from migrations) as migration`.execute(db)
    const catalog = await db
      .selectFrom('patch_catalog')
      .select([
        'version',
        'released_at as releasedUtc',
        'imported_at as importedUtc',
        sql<number>`(select count(*)::integer from patches)`.as('patchCount'),
      ])
      .executeTakeFirst()
    return {
      serviceVersion,
      databaseVersion: rows[0]?.version ?? '',
      databaseMigration: rows[0]?.migration ?? '',
      patchCatalog: catalog ?? { version: null, releasedUtc: null, importedUtc: null, patchCount: null },
    }
  },
})
