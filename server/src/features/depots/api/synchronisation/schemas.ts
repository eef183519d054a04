import { closed, enumOf, Id, Instant, Int32, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'

export const System = closed(
  {
    serviceVersion: Type.String({ examples: ['0.1.0'] }),
    databaseVersion: Type.String({ examples: ['PostgreSQL 18.4'] }),
    databaseMigration: Type.String({ examples: ['0013_depots'], description: 'The newest migration of the database' }),
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

const computer = {
  clientId: Id,
  hostname: Type.String({ examples: ['depot01'] }),
  domain: nullable(text(255, 'corp.example.org')),
}

export const DepotServer = closed(
  { ...computer, role: enumOf(['DepotServer', 'MasterServer']) },
  { title: 'DepotServer' },
)

export const DepotTopologySetting = closed(
  {
    isActive: Type.Boolean({
      examples: [true],
      description:
        'While true, a depot gets the packages of its tags and those with the tag Global; otherwise it gets all.',
    }),
  },
  { title: 'DepotTopologySetting' },
)

const status = enumOf(['Pending', 'Running', 'Success', 'Failed'])
const count = (description: string) => Type.Integer({ minimum: 0, examples: [12], description })

export const SyncJob = closed(
  {
    id: Uuid,
    ...computer,
    trigger: enumOf(['Manual', 'Schedule']),
    status,
    requestedUtc: Instant,
    lastRunUtc: { ...nullable(Instant), description: 'When this job began to run' },
    finishedUtc: nullable(Instant),
    nextRunUtc: { ...nullable(Instant), description: 'When the depot will next begin a job of itself' },
    result: { ...nullable(text(1000, '3 packages are up to date.')), description: 'What the depot said at the end' },
    packages: count('Packages that the depot holds after the job'),
    filesTransferred: count('Files that had to be transferred'),
    bytesTransferred: count('Bytes that had to be transferred'),
  },
  { title: 'SyncJob' },
)

export const TriggerSyncJobRequest = closed(
  {
    depotClientIds: Type.Optional(
      nullable(
        Type.Array(Id, {
          minItems: 1,
          maxItems: 500,
          examples: [[17]],
          description: 'Depot servers to synchronise; all when it is left out',
        }),
      ),
    ),
  },
  { title: 'TriggerSyncJobRequest' },
)

export const SyncJobsTriggered = closed({ jobs: Type.Array(SyncJob) }, { title: 'SyncJobsTriggered' })

export const SyncDepot = closed(
  {
    ...computer,
    heartbeat: enumOf(['online', 'offline', 'pending', 'unknown'], {
      title: 'DepotSyncHeartbeat',
      description:
        'online: heard of within the last five minutes; offline: not any more; pending: it has a credential and was ' +
        'never heard of; unknown: it has no credential.',
    }),
    lastHeartbeatUtc: nullable(Instant),
    version: { ...nullable(text(50, '0.1.0')), description: 'Version of Muster on the depot' },
    lastRunUtc: nullable(Instant),
    nextRunUtc: nullable(Instant),
    lastStatus: nullable(status),
  },
  { title: 'SyncDepot' },
)
