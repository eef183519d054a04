import { isConnectionLost, isSilence } from '../../database/errors.ts'
import { retryConflicts } from '../steps.ts'
import { answerWithHandler } from './call-handler.ts'
import { etagOf, matchesEtag } from './etag.ts'
import type { FinishedAnswer, OperationRun } from './run-context.ts'

/** Runs an operation that changes nothing, on the pool. A read that loses a race or its connection is repeated. */
export function runRead(run: OperationRun): Promise<FinishedAnswer> {
  const { context, operation } = run
  switch (operation.execution.kind) {
    case 'Contact':
      return context.services.contactFlow.run(() => retryConflicts(() => read(run)))
    case 'FleetRead':
      return context.services.fleetReads.run(() => readRepeatably(run))
    default:
      return readRepeatably(run)
  }
}

async function readRepeatably(run: OperationRun): Promise<FinishedAnswer> {
  try {
    return await retryConflicts(() => read(run))
  } catch (error) {
    // After a silence the client has waited long enough.
    if (!isConnectionLost(error) || isSilence(error)) throw error
    return read(run)
  }
}

async function read(run: OperationRun): Promise<FinishedAnswer> {
  const { context, operation, request } = run
  const { answer } = await answerWithHandler(run, context.db)
  if (!context.versionedReads.has(operation) || answer.body === undefined) return answer
  const etag = etagOf(context.services.keys, operation, answer.body)
  const ifNoneMatch = request.headers['if-none-match']
  // An ETag that leaves properties out cannot prove that the client's copy is current.
  if (ifNoneMatch && !operation.unversioned && matchesEtag(ifNoneMatch, etag)) return { status: 304, headers: { etag } }
  return { ...answer, headers: { ...answer.headers, etag } }
}
