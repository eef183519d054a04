import { sql } from 'kysely'
import { ok, operation } from '../platform/operation.ts'
import { closed, Instant, nullable, Type, text, Uuid } from '../platform/schema.ts'

export const reportHeartbeat = operation({
  id: 'reportHeartbeat',
  route: 'POST /depot/v1/heartbeat',
  summary: 'Say that the depot lives, and learn whether a synchronisation waits for it',
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
  }),
  returns: ok(closed({ waitingJobId: nullable(Uuid) })),
  async handle({ body, db, machine }) {
    await db
      .updateTable('depots')
      .set({ heartbeat_at: sql`now()`, version: body.version, next_sync_at: body.nextSyncUtc, url: body.url ?? null })
      .where('computer_id', '=', machine.clientId)
      .execute()
    const waiting = await db
      .selectFrom('sync_jobs')
      .select('id')
      .where('computer_id', '=', machine.clientId)
      .where('status', '=', 'Pending')
      .executeTakeFirst()
    return { waitingJobId: waiting?.id ?? null }
  },
})
