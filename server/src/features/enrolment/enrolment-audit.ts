import type { Database } from '../../database/connect.ts'
import { appendAuditEntry } from '../../platform/pipeline/audit.ts'
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
  const { name, domain, uuid, macAddress, serialNumber = null, kind, version, platform, address } = enrolment
  await appendAuditEntry(db, {
    principal: { id: null, name: `agent of ${name}` },
    operation: { id: 'enrolAgent', body: null },
    target: `/api/computer/${clientId}/agent`,
    query: {},
    body: {
      event,
      computer: { name, domain, uuid, macAddress, serialNumber },
      agent: { kind, version, platform, address },
    },
    concealed: [],
    status: 200,
    requestId: enrolment.requestId,
  })
}
