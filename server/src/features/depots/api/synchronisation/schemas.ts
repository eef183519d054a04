import { closed, enumOf, Id, Instant, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'

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
        'While true, a depot gets the packages with one of its tags or with the tag Global; otherwise it gets all packages.',
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
    lastRunUtc: { ...nullable(Instant), description: 'When this job started' },
    finishedUtc: nullable(Instant),
    nextRunUtc: { ...nullable(Instant), description: 'When the depot starts its next scheduled job' },
    result: {
      ...nullable(text(1000, '3 packages are up to date.')),
      description: 'The message that the depot reported at the end',
    },
    packages: count('Number of packages on the depot after the job'),
    filesTransferred: count('Number of files that were transferred'),
    bytesTransferred: count('Number of bytes that were transferred'),
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
          description: 'Depot servers to synchronise; all if omitted',
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
        'online: the last heartbeat is at most five minutes old; offline: it is older; pending: the depot has a ' +
        'credential and has never sent a heartbeat; unknown: the depot has no credential.',
    }),
    lastHeartbeatUtc: nullable(Instant),
    version: { ...nullable(text(50, '0.1.0')), description: 'Version of the depot program' },
    lastRunUtc: nullable(Instant),
    nextRunUtc: nullable(Instant),
    lastStatus: nullable(status),
  },
  { title: 'SyncDepot' },
)
