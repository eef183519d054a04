import { isDatabaseUnavailable } from '../database/errors.ts'
import { findExhaustedResource, withCauses } from '../platform/resource-exhaustion.ts'

/** SQLSTATEs of statements that other transactions or their own duration prevented. They may succeed when repeated. */
const busyCodes = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
  '57014', // statement cancelled, for example by its timeout
  '25P03', // idle transaction ended
  '25P04', // transaction timeout
])

/** Why an attempt was interrupted through no fault of the job, as a sentence for users; undefined for other errors. */
export function findTransientReason(error: unknown): string | undefined {
  const resource = findExhaustedResource(error)
  if (resource) return `The service ran out of ${resource}.`
  const errors = [...withCauses(error)]
  if (errors.some(isDatabaseUnavailable)) return 'The database was unavailable.'
  if (errors.some(({ code }) => busyCodes.has(String(code)))) return 'The database was busy.'
  return undefined
}
