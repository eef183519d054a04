import { findPendingSyncJob, recordHeartbeat } from '../../features/depots/sync-runs.ts'
import { confirmWakeUps, listWakeUpsOfDepot } from '../../features/wake-on-lan/wake-ups.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Instant, nullable, Type, text, Uuid } from '../../platform/schema.ts'

/** A depot sends this many magic packets in about a second. */
const maxWakeUps = 200

const WakeUpId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [4],
  description: 'Id of the wake-up',
})

const WakeUp = closed({
  id: WakeUpId,
  macAddress: text(17, '02:00:00:00:00:17', 'MAC address'),
  address: nullable(text(15, '192.0.2.255', 'Broadcast address of the network; null when unknown')),
})

export const reportHeartbeat = operation({
  id: 'reportHeartbeat',
  route: 'POST /depot/v1/heartbeat',
  summary: 'Report that the depot is online and get its pending tasks',
  description:
    'The answer names the synchronisation job to start and the computers to wake. A wake-up is returned until the depot confirms it in sentWakeUps; after two minutes the service sends it itself.',
  role: 'machine',
  body: closed({
    version: text(50, '0.1.0', 'Version of the depot'),
    nextSyncUtc: { ...Instant, description: 'When the depot will start its next scheduled synchronisation' },
    url: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
        examples: ['https://depot.example.org'],
        description: 'Address at which computers reach the depot; without it they do not use the depot',
      }),
    ),
    sentWakeUps: Type.Optional(
      Type.Array(WakeUpId, { maxItems: maxWakeUps, description: 'Wake-ups that the depot has sent' }),
    ),
  }),
  returns: ok(
    closed({
      waitingJobId: nullable({ ...Uuid, description: 'The job that beginSync will start; null when none is pending' }),
      wakeUps: Type.Array(WakeUp, { description: 'Computers that the depot must wake' }),
    }),
  ),
  async handle({ body, db, machine: { clientId } }) {
    const { version, nextSyncUtc, url = null, sentWakeUps = [] } = body
    await recordHeartbeat(db, clientId, { version, nextSyncAt: nextSyncUtc, url })
    if (sentWakeUps.length > 0) await confirmWakeUps(db, clientId, sentWakeUps)
    const jobId = await findPendingSyncJob(db, clientId)
    const wakeUps = await listWakeUpsOfDepot(db, clientId, maxWakeUps)
    return { waitingJobId: jobId ?? null, wakeUps }
  },
})
