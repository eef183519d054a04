import pg from 'pg'
import { quoteName } from './catalog.ts'
import type { Table } from './format.ts'

/** Copies a query, because COPY cannot read a partitioned table by its name. */
export function copyOutStatement(table: Table): string {
  return `copy (select ${columnsOf(table)} from ${quoteName(table)}) to stdout (format ${table.format})`
}

export function copyInStatement(table: Table): string {
  return `copy ${quoteName(table)} (${columnsOf(table)}) from stdin (format ${table.format})`
}

/** Session settings under which both databases write values as the same text. */
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
