import { NoResultError } from 'kysely'
import pg from 'pg'

const connectionFailures = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'])

/** True when a connection gave no answer before its deadline. The statement may or may not have had an effect. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** The database ended the connection: an administrator, a crash of another one, or a transaction that was silent for too long. */
const endedByDatabase = new Set(['57P01', '57P02', '25P03'])

/** True when a connection that worked before broke or fell silent. Another connection may work. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  return (
    isSilence(error) ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    endedByDatabase.has(code) ||
    /^(Connection terminated unexpectedly|Client has encountered a connection error)/.test(error.message)
  )
}

/** True when a statement waited too long for a lock of another transaction. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

/** True when a statement was ended because it took too long, or because the service is stopping. */
export function isStatementCancelled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014'
}

/** A call that was refused because too many others already wait for the same shared statement. Nothing was run for it. */
export class StatementQueueFull extends Error {
  override name = 'StatementQueueFull'
}

/** True when the database could not be reached, for example while it restarts. The request itself may be fine. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  const { code = '', syscall } = error as { code?: string; syscall?: string }
  if (error instanceof pg.DatabaseError) return /^(08|57P0|53)/.test(code) || endedByDatabase.has(code)
  return (
    connectionFailures.has(code) ||
    // The Unix socket of a server that is not running. Without `connect`, a file is missing.
    (code === 'ENOENT' && syscall === 'connect') ||
    /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Client was closed|Query read timeout)/.test(
      error.message,
    )
  )
}

/** True when the disk of the database has no room for what a statement had to write. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '53100'
}

/** The name of the constraint that a statement violated, or undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined
}

/** True when a value is not valid for its type, for example a text with a NUL character. */
export function isInvalidValue(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code?.startsWith('22') ?? false)
}

/** True when the database refused a statement. The connection and other transactions remain usable. */
export function isStatementRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isDatabaseUnavailable(error)
}

/** True when the transaction conflicted with another one and can be repeated. */
export function isSerializationConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}

/** Thrown by a step that does not find what an earlier step of the same request has found: another request deleted it. */
export class GoneMeanwhile extends Error {
  override name = 'GoneMeanwhile'
}

const foreignKeyViolation = '23503'

/** True when another request changed or deleted meanwhile what this one relies on. Repeated, it sees that. */
export function isLostRace(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return isSerializationConflict(error) || error.code === foreignKeyViolation
  return error instanceof GoneMeanwhile || error instanceof NoResultError
}
