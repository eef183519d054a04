import { closed, Instant, Int32, nullable, Type, text } from '../../../platform/schema.ts'

export const System = closed(
  {
    serviceVersion: Type.String({ examples: ['0.1.0'] }),
    databaseVersion: Type.String({ examples: ['PostgreSQL 18.4'] }),
    databaseMigration: Type.String({
      examples: ['0025_webhooks'],
      description: 'The newest migration of the database',
    }),
    patchCatalog: closed(
      {
        version: nullable(text(255, '2026.03.11')),
        releasedUtc: nullable(Instant),
        importedUtc: nullable(Instant),
        patchCount: nullable(Int32),
      },
      { title: 'PatchCatalogMetadata', description: 'All null as long as there is no patch catalog.' },
    ),
  },
  { title: 'System' },
)
