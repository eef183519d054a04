import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

export type WakeCall = {
  computerId: number
  /** Whether the connection has to be closed instead. */
  isEnd: boolean
}

/** Takes the calls for agents that are connected to this process, the oldest first. */
export async function claimCalls(db: Database, nodeId: string, limit: number): Promise<WakeCall[]> {
  const { rows } = await sql<WakeCall>`
    with claimed as materialized (
      select call.id from wake_calls call
        left join wake_connections connection on connection.computer_id = call.computer_id
      where case when call.closed_by is null then connection.node_id = ${nodeId}::uuid
        else call.closed_by = ${nodeId}::uuid end
      order by call.id limit ${limit} for update of call skip locked
    ), deleted as (
      delete from wake_calls where id = any(array(select id from claimed)) returning id, computer_id, closed_by
    )
    select computer_id as "computerId", closed_by is not null as "isEnd" from deleted order by id`.execute(db)
  return rows
}
