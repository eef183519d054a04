import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import type { Principal } from '../authentication/active-principals.ts'
import type { AnyOperation, CountRemovals } from '../operation.ts'
import type { Services } from '../services.ts'

/** What the operations of one mount share. */
export type OperationContext = {
  /** The pool. Changes open their transactions on it. */
  db: Database
  services: Services
  /** The reads whose resource another operation changes. Their answers carry an ETag. */
  versionedReads: ReadonlySet<AnyOperation>
}

/** One request on its way through the pipeline. */
export type OperationRun = {
  context: OperationContext
  operation: AnyOperation
  request: FastifyRequest
  /** Set if the request exceeded a quota and another principal has approved it. */
  approval?: GivenApproval
  /** Set while a change is made. */
  countRemovals?: CountRemovals
  /** Set for a part of a dry run: it leaves no audit entry. */
  isRehearsal?: true
}

export type GivenApproval = {
  id: string
  approver: Principal
  /** The computers that the request affected when it was made. */
  computerIds: readonly number[]
  /** What these would have got when the request was made. Null if it gives them nothing. */
  content: readonly string[] | null
}

/** An answer before it is sent. It is serialised already, so that it can be stored and repeated to the letter. */
export type FinishedAnswer = { status: number; body?: string; headers: Record<string, string> }
