import type { Database } from '../../database/connect.ts'
import { hasRole } from '../authentication/authenticate.ts'
import { takesIdempotencyKey } from '../operation.ts'
import { Problem } from '../problem.ts'
import { inSavepoint, retryConflicts, type Stepping, savepointSteps, transact, transactionSteps } from '../steps.ts'
import { auditChange, auditStep } from './audit-change.ts'
import { answerWithHandler } from './call-handler.ts'
import { etagOf, lockResource, requireMatch } from './etag.ts'
import { type IdempotencyKey, idempotencyKey } from './idempotency.ts'
import { QuotaExceeded } from './quota-exceeded.ts'
import { contendedResource, resourcePath } from './resource-path.ts'
import type { FinishedAnswer, OperationRun } from './run-context.ts'
import { partRunner } from './run-parts.ts'
import { withholdUnread } from './withhold-answer.ts'

/** Runs an operation that changes something: wholly or not at all, once per Idempotency-Key, and audited. */
export async function runChange(run: OperationRun): Promise<FinishedAnswer> {
  const { context, operation, request } = run
  const { longWork, resourceQueues } = context.services
  if (operation.execution.kind !== 'Change') return longWork.run(request, () => startChange(run))
  return resourceQueues.run(contendedResource(operation, request), () => startChange(run))
}

async function startChange(run: OperationRun): Promise<FinishedAnswer> {
  const { dryRun } = run.request.query as { dryRun?: boolean }
  // The quota depends on the roles, too.
  await run.request.access?.requireIfWaited()
  try {
    const answer = await (dryRun ? runDry(run) : isStepwise(run) ? runStepwise(run) : runInTransaction(run))
    // Last of all, because a repeated answer may have been stored when the caller had more roles.
    return withholdUnread(run, answer)
  } catch (error) {
    if (error instanceof Problem && error.attempt)
      await run.context.auditTrail.recordAttempt(run.context.db, error.attempt)
    if (!(error instanceof QuotaExceeded)) throw error
    throw await run.context.changeGuard.requestApproval(run, error)
  }
}

function isStepwise({ operation }: OperationRun): boolean {
  return operation.execution.kind === 'StepwiseChange'
}

function runInTransaction(run: OperationRun): Promise<FinishedAnswer> {
  return retryConflicts(() => run.context.db.transaction().execute((tx) => changeOnce(run, tx)))
}

/** Makes the change in an open transaction, unless an earlier request under the same Idempotency-Key has made it. */
export async function changeOnce(run: OperationRun, tx: Database): Promise<FinishedAnswer> {
  const key = findIdempotencyKey(run)
  if (key && !(await key.claim(tx))) {
    const firstAnswer = await key.findAnswer(tx)
    if (firstAnswer) return markReplayed(firstAnswer)
  }
  return change(run, tx, key)
}

/**
 * Each step commits on its own; the answer and the audit entry of the whole request follow in a last transaction.
 * All of them use one connection, because requests that wait for a second one can wait for each other forever.
 */
function runStepwise(run: OperationRun): Promise<FinishedAnswer> {
  const { db } = run.context
  const key = findIdempotencyKey(run)
  const runSteps = () => db.connection().execute((connection) => answerInSteps(run, connection, key))
  return key ? key.runExclusively(db, runSteps) : runSteps()
}

async function answerInSteps(
  run: OperationRun,
  connection: Database,
  key: IdempotencyKey | undefined,
): Promise<FinishedAnswer> {
  const firstAnswer = await key?.findAnswer(connection)
  if (firstAnswer) return markReplayed(firstAnswer)
  // After the steps nothing can be undone, so the computers are counted before the first.
  const guard = await run.context.changeGuard.watch(run, connection)
  await guard.finish(connection)
  const outcome = await answerWithHandler(run, connection, transactionStepping(run, connection))
  await connection.transaction().execute(async (tx) => {
    // Repetitions of this request wait until its answer is stored. Only another request can have claimed the key.
    await key?.claim(tx)
    await key?.storeAnswer(tx, outcome.answer)
    await auditChange(run, tx, outcome)
  })
  return outcome.answer
}

function transactionStepping(run: OperationRun, connection: Database): Stepping {
  const { access } = run.request
  const step = transactionSteps(connection, auditStep(run))
  const runParts = partRunner(run, connection, (work) => transact(connection, work), changeOnce)
  // What is not committed yet must not happen once the right of the caller has ended.
  return {
    async step(target, work) {
      await access?.requireIfWaited()
      return step(target, work)
    },
    async runParts(parts) {
      await access?.requireIfWaited()
      return runParts(parts)
    },
  }
}

/** For dry runs and approved requests, which are one transaction. */
function savepointStepping(run: OperationRun, tx: Database): Stepping {
  return {
    step: savepointSteps(tx, auditStep(run)),
    runParts: partRunner(run, tx, (work) => inSavepoint(tx, work), changeOnce),
  }
}

/** Carries the answer of a dry run out of its transaction, which the error rolls back. */
class DryRunFinished extends Error {
  readonly answer: FinishedAnswer

  constructor(answer: FinishedAnswer) {
    super('The dry run is finished.')
    this.answer = answer
  }
}

/** Does everything that the change would do and rolls it back. */
async function runDry(run: OperationRun): Promise<FinishedAnswer> {
  try {
    return await retryConflicts(() =>
      run.context.db.transaction().execute(async (tx) => {
        const reach = await run.context.changeGuard.reachOf(run, tx)
        const answer = await change(run, tx, undefined)
        throw new DryRunFinished({ ...answer, headers: { ...answer.headers, ...reach } })
      }),
    )
  } catch (error) {
    if (!(error instanceof DryRunFinished)) throw error
    return withHeader(error.answer, 'muster-dry-run', 'true')
  }
}

/** The change itself, in an open transaction. */
async function change(run: OperationRun, tx: Database, key: IdempotencyKey | undefined): Promise<FinishedAnswer> {
  await lockChangedResource(run, tx)
  const { countRemovals, finish } = await run.context.changeGuard.watch(run, tx)
  const stepping = isStepwise(run) ? savepointStepping(run, tx) : undefined
  const outcome = await answerWithHandler({ ...run, countRemovals }, tx, stepping)
  await finish(tx)
  // The last moment: what follows locks the audit trail.
  await run.request.access?.requireIfWaited()
  const answer = withEtag(run, outcome.answer)
  await key?.storeAnswer(tx, answer)
  // An entry locks its chain until the transaction ends, and that of a rehearsal has many changes before it.
  if (!run.isRehearsal) await auditChange(run, tx, outcome)
  return answer
}

/** Locks the resource that the operation changes and checks that it still has the version that If-Match names. */
async function lockChangedResource(run: OperationRun, tx: Database): Promise<void> {
  const { context, operation, request } = run
  const { changes } = operation
  if (!changes) return
  await lockResource(tx, resourcePath(changes, request))
  const ifMatch = request.headers['if-match']
  if (!ifMatch) return
  const { answer } = await answerWithHandler({ ...run, operation: changes }, tx)
  const etag = etagOf(context.services.keys, changes, answer.body ?? '')
  requireMatch(ifMatch, etag, hasRole(request.caller.principal, changes.role))
}

/** An answer that shows the changed resource as its read would carries the ETag of that read. */
function withEtag({ context, operation }: OperationRun, answer: FinishedAnswer): FinishedAnswer {
  const { changes, returns } = operation
  if (!changes || !answer.body || returns[answer.status] !== changes.returns[200]) return answer
  return withHeader(answer, 'etag', etagOf(context.services.keys, changes, answer.body))
}

function findIdempotencyKey({ context, operation, request }: OperationRun): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || !takesIdempotencyKey(operation)) return undefined
  const { params, query, body, caller } = request
  const content = { operation: operation.id, params, query, body }
  return idempotencyKey(context.services.keys, String(key), caller.principal.id, content)
}

function markReplayed(answer: FinishedAnswer): FinishedAnswer {
  return withHeader(answer, 'idempotency-replayed', 'true')
}

function withHeader(answer: FinishedAnswer, name: string, value: string): FinishedAnswer {
  return { ...answer, headers: { ...answer.headers, [name]: value } }
}
