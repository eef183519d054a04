import type { Database } from '../../database/connect.ts'
import type { AuditEntry, AuditedAttempt } from '../../platform/audit-trail.ts'
import { appendAuditEntry, appendAuditEntryAfter } from '../audit/audit-trail.ts'
import { countTokenUse } from './enrolment-tokens.ts'
import type { ClaimingAgent } from './quarantine.ts'

export type Enrolment = ClaimingAgent & {
  /** Hash of an enrolment token or of a re-enrolment code. */
  tokenHash: Buffer
  /** Whether it is that of a code. */
  isCode: boolean
  /** The computer on which Muster has just installed an operating system, if the agent has proved that it runs there. */
  installedComputerId: number | null
  requestId: string
}

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

/** What showed on which computer the agent runs. */
export type EnrolmentProof =
  /** The UUID of the firmware. */
  | 'Uuid'
  /** A boot script of the computer, which Muster installs. */
  | 'BootScript'
  | 'ReEnrolmentCode'
  /** The key of its first enrolment. */
  | 'EnrolmentKey'
  /** MAC address, serial number or name, which the configuration trusts. */
  | 'WeakMatch'

/** What the trail shows of an enrolment besides what the agent has reported. */
export type RecordedEnrolment = {
  clientId: number
  event: EnrolmentEvent
  /** Null for a new computer, and for an agent in quarantine. */
  provenBy: EnrolmentProof | null
  /** The id of the agent in quarantine that had to make room. */
  replacedId?: number
}

/**
 * Audits an enrolment and counts the use of its token, if it used one. The agent acts itself, with a token or code that a
 * principal created. Returns false if the token has been revoked or used up in the meantime.
 *
 * Call it last: from here on, all enrolments with the token wait for the end of the transaction.
 */
export async function recordEnrolment(
  db: Database,
  enrolment: Enrolment,
  { clientId, ...recorded }: RecordedEnrolment,
  usedTokenId: number | null,
): Promise<boolean> {
  const entry: AuditEntry = {
    principal: { id: null, name: `agent of ${enrolment.name}` },
    operation: { id: 'enrolAgent', body: null },
    target: `/api/computer/${clientId}/agent`,
    query: {},
    body: { ...recorded, ...describeEnrolment(enrolment) },
    concealed: [],
    status: 200,
    requestId: enrolment.requestId,
  }
  if (usedTokenId !== null) return appendAuditEntryAfter(db, countTokenUse(usedTokenId), entry)
  await appendAuditEntry(db, entry)
  return true
}

export type EnrolmentRefusal = 'AlreadyEnrolled' | 'QuarantineFull'

/**
 * An agent with a valid token that was refused because the computer has another one, or because too many others claim it.
 * The answer shows that a computer with this name, address or UUID exists, and the agent may be the right one, so the trail
 * shows that it asked.
 */
export function refusedEnrolment(enrolment: Enrolment, reason: EnrolmentRefusal): AuditedAttempt {
  return {
    principal: { id: null, name: `agent of ${enrolment.name}` },
    operation: 'enrolAgent',
    target: '/agent/v1/enrolment',
    status: 409,
    requestId: enrolment.requestId,
    details: { body: { event: 'Refused', reason, ...describeEnrolment(enrolment) } },
  }
}

function describeEnrolment(enrolment: Enrolment) {
  const { name, domain, uuid, macAddress, serialNumber = null, kind, version, platform, address } = enrolment
  return {
    computer: { name, domain, uuid, macAddress, serialNumber },
    agent: { kind, version, platform, address },
  }
}
