import type { AppliedMigration } from '../migrate.ts'

/**
 * A backup is a zstd stream, and after it a skippable frame of zstd with the SHA-256 over every byte of the file before
 * it: 50 2A 4D 18 20 00 00 00 and 32 bytes. "zstd -d" reads the whole, and no bit of it can change unnoticed.
 *
 * In the stream are frames of our own: one byte for the kind, four for the length of what follows (most significant
 * first), then that many bytes. Their order:
 *   H  the header, once
 *   T  a table begins: its place in the header's list of tables, as JSON. The tables come in the order of that list
 *   D  a piece of the rows of this table, as COPY writes them; a table has any number of pieces, cut anywhere
 *   E  the trailer, once: how many rows and bytes each table has
 * Parents stand before the tables that refer to them, as far as the references allow it.
 */
export const frameKinds = { header: 'H', table: 'T', data: 'D', trailer: 'E' } as const

export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds]

export const frameHeadLength = 5
// Far more than any frame we write: a damaged length must not make the reader collect gigabytes.
export const longestFrame = 16 * 1024 * 1024

export const formatName = 'muster-backup'
export const formatVersion = 1

export type QualifiedName = { schema: string; name: string }
export type Column = { name: string; type: string }

export type Table = QualifiedName & {
  /** Without generated columns, which cannot be written. */
  columns: Column[]
  /** Text where a type was made in this database: the binary form would name it by a number that differs elsewhere. */
  format: 'binary' | 'text'
}

/** The value is a string, because it may need all of its 64 bits. */
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
