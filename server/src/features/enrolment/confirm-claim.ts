import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { AgentKind } from '../agents/agent-kinds.ts'
import { callAfterDecision, expectConnection } from '../agents/wake/decisions.ts'
import { ambiguousClaim, computerNotClaimed, quarantinedAgentNotFound } from './api/problems.ts'
import { deleteAgent, insertAgent, lockDevices } from './enrolled-agents.ts'
import { joinGroup, pinGroupOfToken } from './enrolment-tokens.ts'
import { completeIdentity } from './matching-computer.ts'
import { candidateIds, deleteClaims } from './quarantine.ts'

/**
 * Makes an agent in quarantine the agent of the computer that it claims to run on, in place of the one it may have. If
 * several computers match the agent equally, `chosen` is the one.
 */
export async function confirmClaim(db: Database, id: number, chosen: number | null): Promise<void> {
  const claim = await claimWithId(db, id).executeTakeFirst()
  if (!claim) throw quarantinedAgentNotFound({ id })
  const clientId = await decideComputer(db, id, chosen)
  const { group_id: groupId } = claim
  await pinGroupOfToken(db, groupId)
  await lockDevices(db, clientId)
  await db.selectFrom('computers').select('id').where('id', '=', clientId).forNoKeyUpdate().execute()
  // Rejected or confirmed in the meantime. The lock makes a concurrent confirmation for another computer wait.
  if (!(await claimWithId(db, id).forUpdate('quarantined_agents').executeTakeFirst()))
    throw quarantinedAgentNotFound({ id })
  await completeIdentity(db, clientId, { uuid: claim.uuid, macAddress: claim.mac_address })
  await joinGroup(db, groupId, clientId)
  await deleteClaims(db, clientId)
  await deleteAgent(db, clientId)
  // Its credential has the id of the other computer. It exchanges the credential at its next contact.
  if (clientId !== claim.computer_id)
    await sql`update quarantined_agents set confirmed_computer_id = ${clientId} where id = ${id}`.execute(db)
  await insertAgent(db, clientId, {
    keyHash: claim.enrolment_key_hash,
    secretHash: claim.secret_hash,
    tokenId: claim.enrolment_token_id,
    version: claim.version,
    platform: claim.platform,
    kind: claim.kind as AgentKind,
    isContact: false,
  })
  // Agents of others have no wake connection.
  if (claim.kind !== 'Muster') return
  await expectConnection(db, clientId)
  await callAfterDecision(db)
}

async function decideComputer(db: Database, id: number, chosen: number | null): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select candidate.id from quarantined_agents cross join lateral (${candidateIds()}) as candidate
    where quarantined_agents.id = ${id} order by candidate.id`.execute(db)
  const candidates = rows.map((row) => row.id)
  if (chosen !== null && !candidates.includes(chosen)) throw computerNotClaimed({ clientId: chosen })
  const [only, ...others] = candidates
  if (chosen === null && others.length > 0) throw ambiguousClaim({ id })
  return chosen ?? only ?? 0
}

function claimWithId(db: Database, id: number) {
  return db
    .selectFrom('quarantined_agents')
    .leftJoin('enrolment_tokens', 'enrolment_tokens.id', 'enrolment_token_id')
    .selectAll('quarantined_agents')
    .select('enrolment_tokens.group_id')
    .where('quarantined_agents.id', '=', id)
    .where('confirmed_computer_id', 'is', null)
}
