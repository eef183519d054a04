import { sql } from 'kysely'
import { confirmWakeUps, listWakeUpsOfDepot } from '../../features/wake-on-lan/wake-ups.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Instant, nullable, Type, text, Uuid } from '../../platform/schema.ts'

// A depot sends so many in a second.
const mostWakeUps = 200

const WakeUpId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [4] })

const WakeUp = closed({
  id: WakeUpId,
  macAddress: text(17, '020000000017', 'Twelve hexadecimal digits'),
  address: nullable(text(15, '192.0.2.255', 'The broadcast address of the network, if it is known')),
})

export const reportHeartbeat = operation({
  id: 'reportHeartbeat',
  route: 'POST /depot/v1/heartbeat',
  summary: 'Say that the depot lives, and learn what waits for it',
  description: 'A wake-up is handed out until it is confirmed; after two minutes the service sends it itself.',
  role: 'machine',
  body: closed({
    version: text(50, '0.1.0'),
    nextSyncUtc: Instant,
    url: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
        examples: ['https://depot.example.org'],
        description: 'Where computers reach the depot',
      }),
    ),
    sentWakeUps: Type.Optional(
      Type.Array(WakeUpId, { maxItems: mostWakeUps, description: 'Wake-ups that the depot has sent' }),
    ),
  }),
  returns: ok(closed({ waitingJobId: nullable(Uuid), wakeUps: Type.Array(WakeUp) })),
  async handle({ body, db, machine }) {
    await db
      .updateTable('depots')
      .set({
        heartbeat_at: sql`now()`,
        version: body.version,
        next_sync_at: body.nextSyncUtc,
        url: body.url ?? null,
      })
      .where('computer_id', '=', machine.clientId)
      .execute()
    if (body.sentWakeUps?.length) await confirmWakeUps(db, machine.clientId, body.sentWakeUps)
    const waiting = await db
      .selectFrom('sync_jobs')
      .select('id')
      .where('computer_id', '=', machine.clientId)
      .where('status', '=', 'Pending')
      .executeTakeFirst()
    const wakeUps = await listWakeUpsOfDepot(db, machine.clientId, mostWakeUps)
    return { waitingJobId: waiting?.id ?? null, wakeUps }
  },
})
