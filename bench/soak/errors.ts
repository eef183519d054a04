import { isRetryableKind } from '../retryable.ts'
import type { Report } from '../simulated-computers.ts'
import type { ReadFigures } from '../steady-reads.ts'
import { reportTarget } from '../target.ts'
import { seconds } from './duration.ts'
import { outages } from './faults.ts'
import { maxOutageSeconds } from './probe.ts'

/** The maximum share of failed contacts: all outages with their maximum length. In half an hour this is 5 %. */
const failedContactsTarget = (outages.length * maxOutageSeconds) / seconds

/** Prints every kind of error and whether a client can retry after it. */
export function reportErrors(report: Report, reads: ReadFigures): void {
  console.table(report.operations)
  const kinds = Object.entries(report.errors).map(([kind, count]) => ({
    error: kind,
    count,
    'can be retried': isRetryableKind(kind),
  }))
  console.table(kinds)
  const permanent = kinds.filter((one) => !one['can be retried'])
  reportTarget(
    `errors that cannot be retried: ${permanent.map(({ error, count }) => `${count} × ${error}`).join(', ') || 'none'}`,
    permanent.length === 0,
  )
  const contacts = report.operations.find(({ operation }) => operation === 'contact')
  const sent = (contacts?.count ?? 0) + (contacts?.unanswered ?? 0)
  const failed = (contacts?.failed ?? 0) + (contacts?.unanswered ?? 0)
  reportTarget(
    `failed contacts: ${failed} of ${sent}, ${((100 * failed) / sent).toFixed(2)} %, target at most ${(100 * failedContactsTarget).toFixed(1)} %`,
    failed <= failedContactsTarget * sent,
  )
  reportTarget(
    `reads: ${reads.count}, p50 ${reads.p50} ms, p99 ${reads.p99} ms; ${reads.failed} failed, ${reads.refused} of them permanently`,
    reads.refused === 0,
  )
}
