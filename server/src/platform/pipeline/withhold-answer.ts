import { hasRole } from '../authentication/authenticate.ts'
import type { AnyOperation } from '../operation.ts'
import type { FinishedAnswer, OperationRun } from './run-context.ts'

/**
 * The read whose resource the answer of a change shows: the one that the operation names, or the one whose resource it
 * changes, if the answer has the same schema. Undefined if the answer shows nothing that was stored before.
 */
export function shownRead({ changes, shows, returns }: AnyOperation): AnyOperation | undefined {
  if (shows) return shows
  return changes && Object.values(returns).includes(changes.returns[200]) ? changes : undefined
}

/** The header of an answer whose body was left out. It names the role that the body needs. */
export const requiredRoleHeader = 'muster-required-role'

/**
 * Leaves out of the answer what the caller may change and not read. The contract prescribes the bodies of its changes;
 * those of extensions and of dry runs, which are not audited, need the role of the read. ETags do so everywhere.
 */
export function withholdUnread({ operation, request }: OperationRun, answer: FinishedAnswer): FinishedAnswer {
  const read = shownRead(operation)
  if (!read || answer.body === undefined || hasRole(request.caller.principal, read.role)) return answer
  const { etag: _, ...headers } = answer.headers
  const { dryRun } = request.query as { dryRun?: boolean }
  if (!operation.extension && !dryRun) return { ...answer, headers }
  return { status: answer.status, headers: { ...headers, [requiredRoleHeader]: read.role } }
}
