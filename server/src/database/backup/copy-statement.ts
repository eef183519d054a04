import pg from 'pg'
import { quoted } from './catalog.ts'
import type { Table } from './format.ts'

/** A query, because the rows of a partitioned table cannot be copied by its name. */
export function copyOut(table: Table): string {
  return `copy (select ${columnsOf(table)} from ${quoted(table)}) to stdout (format ${table.format})`
}

export function copyIn(table: Table): string {
  return `copy ${quoted(table)} (${columnsOf(table)}) from stdin (format ${table.format})`
}

/** What text looks like must not depend on the settings of the two databases. */
export const neutralSettings = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local extra_float_digits = 1;
  set local row_security = off`

function columnsOf({ columns }: Table): string {
  return columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
}
