import type { AppliedMigration } from '../migrations/sql-files.ts'

/**
 * A backup is a zstd stream followed by a skippable zstd frame, which contains the SHA-256 of all bytes before it:
 * 50 2A 4D 18 20 00 00 00 and 32 bytes. "zstd -d" decompresses the file, and no bit of it can change unnoticed.
 *
 * The stream contains frames of our own: one byte for the kind, four bytes for the length of the content (big-endian),
 * then the content. Their order:
 *   H  the header, once
 *   T  the start of a table: its index in the header's list of tables, as JSON. Tables follow the order of that list
 *   D  a chunk of the rows of this table, as COPY writes them. A table has any number of chunks, split anywhere
 *   E  the trailer, once: the numbers of rows and bytes of each table
 * Referenced tables come before the tables that refer to them, as far as the references allow it.
 */
export const frameKinds = { header: 'H', table: 'T', data: 'D', trailer: 'E' } as const

export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds]

export const frameHeadLength = 5
// Far more than any frame we write. A damaged length must not make the reader buffer gigabytes.
export const maxFrameLength = 16 * 1024 * 1024

export const formatName = 'muster-backup'
export const formatVersion = 1

export type QualifiedName = { schema: string; name: string }
export type Column = { name: string; type: string }

export type Table = QualifiedName & {
  /** All columns except generated ones, which cannot be written. */
  columns: Column[]
  /** Text for tables with user-defined types: the binary format contains their object ids, which differ elsewhere. */
  format: 'binary' | 'text'
}

/** `lastValue` is a string because it may need 64 bits. */
export type Sequence = QualifiedName & { lastValue: string; isCalled: boolean }

export type Header = {
  format: typeof formatName
  version: typeof formatVersion
  createdAt: string
  musterVersion: string
  postgresVersion: string
  migrations: AppliedMigration[]
  tables: Table[]
  sequences: Sequence[]
}

export type Counts = { rows: number; bytes: number }

/** One count for each table of the header, in its order. */
export type Trailer = { tables: Counts[] }
