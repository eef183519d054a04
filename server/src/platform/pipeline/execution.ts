/** How the service runs an operation that changes nothing: without transaction, audit entry and dry run. */
export type ReadExecution =
  | { kind: 'Read' }
  /** A read whose cost grows with the fleet. While the database is busy, it waits so that agents need not. */
  | { kind: 'FleetRead' }
  /** Answers with a file. It begins when there is room among the downloads of those who ask for it. */
  | { kind: 'Download'; by: 'agents' | 'depots' | 'installers' }
  /** A read that must answer while the database does not. Its handler leaves `db` alone. */
  | { kind: 'WithoutDatabase' }
  /**
   * Answers with a connection that stays open for hours. The pipeline merely parses the credential, as for a `Contact`; the
   * operation checks `machine.secretHash` and raises 401.
   */
  | { kind: 'QuietConnection' }

/** How the service runs an operation that changes something: once per Idempotency-Key, and audited. */
type ChangeExecution =
  /** Wholly or not at all, in one transaction. */
  | { kind: 'Change' }
  /** A change whose cost grows with the fleet. Such changes queue behind each other and do not slow others down. */
  | { kind: 'LongChange' }
  /**
   * A change of independent parts, each of which commits on its own: the handler makes every part with `step`. If the
   * service stops halfway, finished parts persist, so the handler must find the remaining ones when it is repeated.
   */
  | { kind: 'StepwiseChange' }

/** How the service runs what machines report so often that it must be cheap: on the pool, without a dry run. */
type ReportExecution =
  /**
   * May cost only one statement. The pipeline merely parses the credential; the operation checks `machine.secretHash` in
   * its own statement and raises 401. It is repeated if it lost a race.
   */
  | { kind: 'Contact' }
  /** Concurrent reports share its statements. It must be safe to repeat. What it acknowledges is committed. */
  | { kind: 'SharedReport' }

/**
 * Receives a file in a request that may take minutes, so there is no transaction around it: the handler records in short
 * statements how much is stored, and a later request continues there. What makes use of the file is a change.
 */
type UploadExecution = { kind: 'Upload' }

export type Execution = ReadExecution | ChangeExecution | ReportExecution | UploadExecution

export const changeKinds: readonly Execution['kind'][] = [
  'Change',
  'LongChange',
  'StepwiseChange',
] satisfies ChangeExecution['kind'][]
