import type { Database } from '../../database/connect.ts'
import type { Services } from '../../platform/services.ts'
import { newAgentCredential } from '../agents/agent-credentials.ts'
import { deleteAgent, insertAgent, lockExistingAgent, renewCredential } from './enrolled-agents.ts'
import {
  type Enrolment,
  type EnrolmentEvent,
  type EnrolmentProof,
  type EnrolmentRefusal,
  recordEnrolment,
} from './enrolment-audit.ts'
import { findUsableToken, joinGroup, pinGroupOfToken, type UsableToken } from './enrolment-tokens.ts'
import {
  completeIdentity,
  insertComputer,
  isRecognisable,
  isStrongMatch,
  lockIdentity,
  lockMatchingComputer,
  type MatchingComputer,
} from './matching-computer.ts'
import { deleteClaims, quarantineAgent, renewQuarantinedCredential } from './quarantine.ts'
import { findReEnrolmentCode, type ReEnrolmentCode, takeReEnrolmentCode } from './re-enrolment-codes.ts'

export type EnrolledAgent = {
  clientId: number
  credential: string
  /** The credential opens nothing until a person confirms the agent. */
  isQuarantined: boolean
  /** Undefined if an agent in quarantine asks again, which agents of others do with every inventory. */
  event: EnrolmentEvent | undefined
  provenBy: EnrolmentProof | null
  /** The token whose use counts; null without one, or if the agent repeats its enrolment. */
  usedTokenId: number | null
  /** The agent in quarantine that had to make room. */
  replacedId?: number
}

/** Unless it is a credential, the caller must roll the transaction back. */
export type EnrolmentOutcome =
  | EnrolledAgent
  | 'InvalidToken'
  /** A computer without a meaningful UUID or MAC address cannot be recognised later. */
  | 'NoIdentity'
  /** The computer has another agent, or too many agents claim it already. */
  | EnrolmentRefusal

type EnrolmentServices = Pick<Services, 'keys' | 'configuration'>

/** Enrols an agent: finds or creates its computer, issues a credential and audits that. */
export async function enrol(
  db: Database,
  services: EnrolmentServices,
  enrolment: Enrolment,
): Promise<EnrolmentOutcome> {
  const code = enrolment.isCode ? await findReEnrolmentCode(db, enrolment.tokenHash) : undefined
  const outcome = code
    ? await enrolWithCode(db, services, enrolment, code)
    : await enrolWithToken(db, services, enrolment)
  if (typeof outcome === 'string' || !outcome.event) return outcome
  const { clientId, event, provenBy, replacedId, usedTokenId } = outcome
  const recorded = { clientId, event, provenBy, ...(replacedId && { replacedId }) }
  return (await recordEnrolment(db, enrolment, recorded, usedTokenId)) ? outcome : 'InvalidToken'
}

/** The code proves nothing but the permission for its own computer, so the agent must resemble that computer. */
async function enrolWithCode(
  db: Database,
  { keys }: EnrolmentServices,
  enrolment: Enrolment,
  code: ReEnrolmentCode,
): Promise<EnrolmentOutcome> {
  const claimant = { keyHash: enrolment.keyHash, provenComputerId: code.computer_id }
  await lockIdentity(db, enrolment)
  const match = await lockMatchingComputer(db, enrolment, claimant)
  if (match?.id !== code.computer_id) return 'InvalidToken'
  const agent = await lockExistingAgent(db, match.id, enrolment.keyHash)
  if (agent?.isSame) return renewed(await renewCredential(db, keys, match.id), match)
  if (!(await takeReEnrolmentCode(db, enrolment.tokenHash, match.id))) return 'InvalidToken'
  await completeIdentity(db, match.id, enrolment)
  await deleteClaims(db, match.id)
  await deleteAgent(db, match.id)
  return insertNewAgent(db, keys, match.id, enrolment, {
    usedTokenId: null,
    event: agent ? 'TakenOver' : 'Joined',
    provenBy: 'ReEnrolmentCode',
  })
}

async function enrolWithToken(
  db: Database,
  services: EnrolmentServices,
  enrolment: Enrolment,
): Promise<EnrolmentOutcome> {
  const { keys, configuration } = services
  const claimant = { keyHash: enrolment.keyHash, provenComputerId: enrolment.installedComputerId }
  const token = await findUsableToken(db, enrolment.tokenHash)
  if (!token) return 'InvalidToken'
  await lockIdentity(db, enrolment)
  await pinGroupOfToken(db, token.group_id)
  const match = await lockMatchingComputer(db, enrolment, claimant)
  if (match?.isAmbiguous) return quarantine(db, services, match, token, enrolment)
  const agent = match && (await lockExistingAgent(db, match.id, enrolment.keyHash))
  if (match && agent?.isSame) return renewed(await renewCredential(db, keys, match.id), match)
  // Before anything depends on the name: otherwise the answer would show, without a trace, which names do not exist.
  if (!isRecognisable(enrolment)) return 'NoIdentity'
  // Agents of others cannot present a code. They wait for a person instead.
  if (agent && enrolment.kind === 'Muster') return token.is_used_up ? 'InvalidToken' : 'AlreadyEnrolled'
  const provenBy = match ? findProof(match, enrolment, configuration) : null
  if (match && (agent || provenBy === null)) return quarantine(db, services, match, token, enrolment)
  if (token.is_used_up) return 'InvalidToken'
  const clientId = match?.id ?? (await insertComputer(db, enrolment))
  // A concurrent enrolment has just created the computer.
  if (clientId === undefined) return enrolWithToken(db, services, enrolment)
  if (match) {
    await completeIdentity(db, match.id, enrolment)
    await deleteClaims(db, match.id)
  }
  await joinGroup(db, token.group_id, clientId)
  return insertNewAgent(db, keys, clientId, enrolment, {
    usedTokenId: token.id,
    event: match ? 'Joined' : 'Created',
    provenBy,
  })
}

function findProof(
  match: MatchingComputer,
  { installedComputerId }: Enrolment,
  { trustWeakMatches }: EnrolmentServices['configuration'],
): EnrolmentProof | null {
  if (isStrongMatch(match)) return 'Uuid'
  // Anybody who knows the MAC address gets a boot script. If the UUID is known, the agent on the computer can show it.
  if (match.id === installedComputerId && !match.hasUuid) return 'BootScript'
  return trustWeakMatches ? 'WeakMatch' : null
}

async function quarantine(
  db: Database,
  { keys }: EnrolmentServices,
  match: MatchingComputer,
  token: UsableToken,
  enrolment: Enrolment,
): Promise<EnrolmentOutcome> {
  const common = { clientId: match.id, isQuarantined: true, provenBy: null }
  const repeated = await renewQuarantinedCredential(db, keys, match.id, enrolment.keyHash)
  if (repeated !== undefined) return { ...common, credential: repeated, event: undefined, usedTokenId: null }
  if (token.is_used_up) return 'InvalidToken'
  const claim = await quarantineAgent(db, keys, match, token.id, enrolment)
  if (claim === undefined) return 'QuarantineFull'
  return { ...common, ...claim, event: 'Quarantined', usedTokenId: token.id }
}

async function insertNewAgent(
  db: Database,
  keys: EnrolmentServices['keys'],
  clientId: number,
  { keyHash, version, platform, kind }: Enrolment,
  proven: Pick<EnrolledAgent, 'usedTokenId' | 'event' | 'provenBy'>,
): Promise<EnrolledAgent> {
  const { credential, secretHash } = newAgentCredential(keys, clientId)
  const tokenId = proven.usedTokenId
  await insertAgent(db, clientId, { keyHash, secretHash, tokenId, version, platform, kind, isContact: true })
  return { clientId, credential, isQuarantined: false, ...proven }
}

const renewed = (credential: string, { id }: MatchingComputer): EnrolledAgent => ({
  clientId: id,
  credential,
  isQuarantined: false,
  event: 'Renewed',
  provenBy: 'EnrolmentKey',
  usedTokenId: null,
})
