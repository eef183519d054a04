import type { Database } from '../../database/connect.ts'
import { type AuditedAttempt, appendAuditEntry } from '../../platform/pipeline/audit.ts'
import type { Enrolment } from './enrol.ts'

export type EnrolmentEvent =
  /** A new computer. */
  | 'Created'
  /** An existing computer that had no agent. */
  | 'Joined'
  /** An existing computer whose previous agent is shut out. */
  | 'TakenOver'
  /** The same agent, with a new credential. */
  | 'Renewed'
  | 'Quarantined'

/** Audits an enrolment. The agent acts itself, with a token or code that a principal created. */
export async function recordEnrolment(
  db: Database,
  enrolment: Enrolment,
  clientId: number,
  event: EnrolmentEvent,
): Promise<void> {
  await appendAuditEntry(db, {
    principal: { id: null, name: `agent of ${enrolment.name}` },
    operation: { id: 'enrolAgent', body: null },
    target: `/api/computer/${clientId}/agent`,
    query: {},
    body: { event, ...describeEnrolment(enrolment) },
    concealed: [],
    status: 200,
    requestId: enrolment.requestId,
  })
}

/**
 * An agent with a valid token that was refused because the computer has another one. The answer shows that a computer with
 * this name, address or UUID exists, so the trail shows that somebody asked.
 */
export function refusedEnrolment(enrolment: Enrolment): AuditedAttempt {
  return {
    principal: { id: null, name: `agent of ${enrolment.name}` },
    operation: 'enrolAgent',
    target: '/agent/v1/enrolment',
    status: 409,
    requestId: enrolment.requestId,
    details: { body: { event: 'Refused', ...describeEnrolment(enrolment) } },
  }
}

function describeEnrolment(enrolment: Enrolment) {
  const { name, domain, uuid, macAddress, serialNumber = null, kind, version, platform, address } = enrolment
  return {
    computer: { name, domain, uuid, macAddress, serialNumber },
    agent: { kind, version, platform, address },
  }
}
