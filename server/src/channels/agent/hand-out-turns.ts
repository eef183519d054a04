import { sql } from 'kysely'
import { shareStatement } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'

type Turn = { computer_id: number; turn_at: Date }

/** An agent that comes later than this after its turn gets another one. */
const validMinutes = 5
const retentionHours = 1

/**
 * Returns the turn that the agent already has, or else the one that is offered. Turns are in the database, because the
 * agent may come back to another process. Concurrent claims share a statement.
 */
export function claimTurn(db: Database, clientId: number, offered: Date): Promise<Date> {
  return claimShared(db, { computer_id: clientId, turn_at: offered })
}

const claimShared = shareStatement((db) => ({
  async run(offered: readonly Turn[]) {
    const turns = new Map((await claimTurns(db, offered)).map(({ computer_id, turn_at }) => [computer_id, turn_at]))
    return offered.map(({ computer_id, turn_at }) => turns.get(computer_id) ?? turn_at)
  },
  keyOf: ({ computer_id }) => computer_id,
  maxBatchSize: 64,
}))

async function claimTurns(db: Database, offered: readonly Turn[]): Promise<Turn[]> {
  const { rows } = await sql<Turn>`
    with offered as materialized (
      select computer_id, turn_at
      from jsonb_to_recordset(${JSON.stringify(offered)}::jsonb) as offered (computer_id integer, turn_at timestamptz)
    ), claimed as (
      insert into hand_out_turns (computer_id, turn_at)
      select computer_id, turn_at from offered order by computer_id
      on conflict on constraint hand_out_turns_pkey do update set turn_at = excluded.turn_at
        where hand_out_turns.turn_at < now() - make_interval(mins => ${validMinutes})
      returning computer_id, turn_at
    )
    select computer_id, turn_at from claimed
    union all
    select hand_out_turns.computer_id, hand_out_turns.turn_at
    from offered join hand_out_turns using (computer_id)
    where computer_id not in (select computer_id from claimed)`.execute(db)
  return rows
}

/** Deletes turns that nobody comes back for. Returns their number. */
export async function purgeHandOutTurns(db: Database): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from hand_out_turns where turn_at < now() - make_interval(hours => ${retentionHours})`.execute(db)
  return Number(numAffectedRows)
}
