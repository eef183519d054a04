import { randomUUID } from 'node:crypto'
import type { Database } from '../../../database/connect.ts'
import { appendAuditEntry } from '../../audit/audit-trail.ts'

type RuleEntry = {
  groupId: string
  joined?: readonly number[]
  left?: readonly number[]
  /** Those that come and go too often and stay where they are. */
  restless?: readonly number[]
  stopped?: { joining: number; leaving: number }
}

/** An entry lists at most this many computers; the events of the group list the others. */
const maxListed = 100

/** Audits what a rule has done without a person. Call it last: it locks the audit trail. */
export async function auditRule(
  db: Database,
  { groupId, joined = [], left = [], restless = [], stopped }: RuleEntry,
): Promise<void> {
  await appendAuditEntry(db, {
    principal: { id: null, name: 'rule of the group' },
    operation: { id: 'followGroupRule', body: null },
    target: `/api/group/${groupId}`,
    query: {},
    body: {
      event: stopped ? 'Stopped' : joined.length + left.length > 0 ? 'Changed' : 'Restless',
      joined: stopped?.joining ?? joined.length,
      left: stopped?.leaving ?? left.length,
      joinedIds: joined.slice(0, maxListed),
      leftIds: left.slice(0, maxListed),
      ...(restless.length > 0 && { restlessIds: restless.slice(0, maxListed) }),
    },
    concealed: [],
    status: stopped ? 409 : 200,
    requestId: randomUUID(),
  })
}
