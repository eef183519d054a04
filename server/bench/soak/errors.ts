import { isRetryableKind } from '../retryable.ts'
import type { Report } from '../simulated-computers.ts'
import type { Answered } from '../steady-reads.ts'
import { verdict } from '../verdict.ts'
import { outages } from './faults.ts'
import { seconds } from './length.ts'
import { longestOutageSeconds } from './probe.ts'

/** Each outage may keep agents away for as long as the bar for it says. Over half an hour this is 5 %. */
const failedContactsBar = (outages.length * longestOutageSeconds) / seconds

/** Every kind of error, and whether whoever meets it can send the same again. */
export function tellErrors(report: Report, reads: Answered): void {
  console.table(report.operations)
  const kinds = Object.entries(report.errors).map(([kind, count]) => ({
    error: kind,
    count,
    'can be sent again': isRetryableKind(kind),
  }))
  console.table(kinds)
  const final = kinds.filter((one) => !one['can be sent again'])
  verdict(
    `errors that a client could not retry: ${final.map(({ error, count }) => `${count} × ${error}`).join(', ') || 'none'}`,
    final.length === 0,
  )
  const contacts = report.operations.find(({ operation }) => operation === 'contact')
  const sent = (contacts?.count ?? 0) + (contacts?.unanswered ?? 0)
  const failed = (contacts?.failed ?? 0) + (contacts?.unanswered ?? 0)
  verdict(
    `contacts that failed: ${failed} of ${sent}, ${((100 * failed) / sent).toFixed(2)} %, bar ${(100 * failedContactsBar).toFixed(1)} %`,
    failed <= failedContactsBar * sent,
  )
  verdict(
    `reads beside it: ${reads.count}, p50 ${reads.p50} ms, p99 ${reads.p99} ms; ${reads.failed} failed, ${reads.refused} of them for good`,
    reads.refused === 0,
  )
}
