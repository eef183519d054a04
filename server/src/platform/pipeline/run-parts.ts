import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { requireAccess } from '../authentication/require-access.ts'
import { toProblem } from '../http/send-problem.ts'
import type { AnyOperation } from '../operation.ts'
import type { PartRequest, RunParts } from '../steps.ts'
import { checkRequest } from './check-request.ts'
import { QuotaExceeded } from './quota-exceeded.ts'
import type { FinishedAnswer, OperationRun } from './run-context.ts'

/** Runs work in a transaction of its own, or in a savepoint of the open one. */
type Transact = <T>(work: (tx: Database) => Promise<T>) => Promise<T>

type ChangeOnce = (run: OperationRun, tx: Database) => Promise<FinishedAnswer>

/**
 * Returns the function with which a stepwise operation calls other operations: as its caller, with their roles, checks,
 * limits and audit entries. `db` is free between the transactions.
 */
export function partRunner(run: OperationRun, db: Database, transact: Transact, changeOnce: ChangeOnce): RunParts {
  return async (parts) => {
    let current: OperationRun = run
    try {
      return await transact(async (tx) => {
        const answers: unknown[] = []
        for (const part of parts) {
          current = partOf(run, part, answers, tx)
          const { body } = await changeOnce(current, tx)
          answers.push(body === undefined ? undefined : JSON.parse(body))
        }
        return answers
      })
    } catch (error) {
      if (error instanceof QuotaExceeded)
        throw await run.context.changeGuard.requestApproval({ ...current, context: { ...run.context, db } }, error)
      const problem = toProblem(error, current.operation)
      // Faults of the service are not the answer of a part: they end the whole request.
      throw problem.kind.status >= 500 ? error : problem
    }
  }
}

function partOf(run: OperationRun, part: PartRequest, answers: readonly unknown[], tx: Database): OperationRun {
  const operation = run.context.operations.find(({ id }) => id === part.operation)
  if (!operation) throw new Error(`The operation ${part.operation} does not exist.`)
  requireAccess(run.request.caller.principal, operation)
  const params = typeof part.params === 'function' ? part.params(answers) : part.params
  const request = requestOf(run, { ...part, params: { ...params } }, operation)
  checkRequest(operation, request)
  const { dryRun } = run.request.query as { dryRun?: boolean }
  return {
    context: { ...run.context, db: tx },
    operation,
    request,
    ...(dryRun && { isRehearsal: true }),
  }
}

/** The request of the part, in the place of the one that contains it. */
function requestOf({ request }: OperationRun, part: PartRequest, operation: AnyOperation): FastifyRequest {
  const { dryRun } = request.query as { dryRun?: boolean }
  const { 'if-match': _match, 'idempotency-key': _key, 'if-none-match': _none, ...headers } = request.headers
  const value = (one: unknown) => ({ value: one, writable: true })
  return Object.create(request, {
    params: value(part.params),
    query: value({ ...part.query, ...(dryRun && { dryRun }) }),
    // Validation converts values in place.
    body: value(operation.body ? structuredClone(part.body ?? {}) : undefined),
    headers: value({ ...headers, 'content-type': 'application/json' }),
  })
}
