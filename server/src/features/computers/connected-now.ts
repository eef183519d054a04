import { type RawBuilder, sql } from 'kysely'

export const connectionStates = ['Connected', 'NotConnected'] as const

export type ConnectionState = (typeof connectionStates)[number]

/** Whether the agent of a computer has a wake connection; `column` names the id of the computer. */
export function isConnectedNow(column: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from connected_computers connected where connected.computer_id = ${sql.ref(column)})`
}
