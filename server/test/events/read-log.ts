import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { listEvents } from '../../src/features/events/api/list-events.ts'
import type { CloudEventValue } from '../../src/features/events/cloud-event.ts'
import { finishTasks, sequenceBatch } from '../../src/features/events/jobs/sequence-events.ts'
import { roleNames } from '../../src/platform/roles.ts'
import type { Json } from '../world/caller.ts'
import type { World } from '../world/open-world.ts'

export type ReadEvent = Json<CloudEventValue>

/** What the background of one node does until nothing is left to do. */
export async function sequenceAll(db: Database): Promise<void> {
  await finishTasks(db)
  while ((await sequenceBatch(db)) > 0);
}

export async function lastPosition(db: Database): Promise<string> {
  await sequenceAll(db)
  const { rows } = await sql<{ last: number }>`select last_position as last from event_log`.execute(db)
  return String(rows[0]?.last)
}

/** Makes a change and returns the events that it left, in the order of the log. */
export async function eventsOf({ as, db }: World, change: () => Promise<unknown>): Promise<ReadEvent[]> {
  const after = await lastPosition(db)
  await change()
  await sequenceAll(db)
  const { body } = await as(...roleNames).call(listEvents, { query: { after, limit: 1_000 } })
  return body.items
}
