import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import type { Database } from '../../src/database/connect.ts'
import { allowComputerReEnrolment } from '../../src/features/enrolment/api/allow-computer-re-enrolment.ts'
import { confirmQuarantinedAgent } from '../../src/features/enrolment/api/confirm-quarantined-agent.ts'
import { listQuarantinedAgents } from '../../src/features/enrolment/api/list-quarantined-agents.ts'
import { revokeAgentCredential } from '../../src/features/enrolment/api/revoke-agent-credential.ts'
import { confirmClaim } from '../../src/features/enrolment/confirm-claim.ts'
import { enrolment, openAgentWorld } from '../channels/agent/agent-world.ts'

const { agentWith, app, as, db, enrolmentToken, given, readyPackage, withToken, work } = await openAgentWorld()
const administrator = as('admin.manage')

/** Two computers of a vendor who gives all boards the same UUID. */
async function twins() {
  const uuid = randomUUID()
  const mac = `02005f${uuid.slice(0, 6)}`
  return { uuid, mac, first: await given.computer({ uuid, mac: null }), second: await given.computer({ uuid, mac }) }
}

async function enrol(computer: object, token?: string) {
  const asked = enrolment()
  const body = {
    ...asked,
    token: token ?? (await enrolmentToken()).token,
    computer: { ...asked.computer, ...computer },
  }
  return { body, answer: await withToken(undefined).call(enrolAgent, { body }) }
}

const claimsOf = async (ids: readonly number[]) =>
  (await administrator.call(listQuarantinedAgents, { query: { top: 1000 } })).body.items.filter(({ clientId }) =>
    ids.includes(clientId),
  )

test('an agent with a UUID that two computers have becomes the agent of neither of them, but waits in quarantine', async () => {
  const { uuid, first, second } = await twins()
  await work(first, await readyPackage())

  const { answer } = await enrol({ uuid })

  expect(answer.body.quarantined).toBe(true)
  expect((await agentWith(answer.body).contact()).body).toMatchObject({ quarantined: true, work: [] })
  const [claim] = await claimsOf([first.id, second.id])
  expect(claim).toMatchObject({ matchedBy: ['Uuid'], reportedUuid: uuid })
  expect(claim?.candidates.map(({ clientId }) => clientId).toSorted()).toEqual([first.id, second.id].toSorted())
})

test.each([
  ['a MAC address', ({ mac }: Twins) => ({ macAddress: mac })],
  ['a name and domain', ({ second }: Twins) => ({ name: second.name, domain: second.domain })],
])('%s beside the shared UUID decides which of the computers it is', async (_, second) => {
  const both = await twins()

  const { answer } = await enrol({ uuid: both.uuid, ...second(both) })

  expect(answer.body).toMatchObject({ clientId: both.second.id, quarantined: false })
})

test('an ambiguous agent waits even with MUSTER_TRUST_WEAK_MATCHES, which does not show which computer it is', async () => {
  const { uuid } = await twins()
  app.services.configuration.trustWeakMatches = true
  try {
    expect((await enrol({ uuid })).answer.body.quarantined).toBe(true)
  } finally {
    app.services.configuration.trustWeakMatches = false
  }
})

test('a person decides which computer an ambiguous agent runs on, and the agent then takes up its work', async () => {
  const { uuid, first, second } = await twins()
  const workId = await work(second, await readyPackage())
  const { body, answer } = await enrol({ uuid })
  const [claim] = await claimsOf([first.id, second.id])
  const confirm = (clientId?: number) =>
    administrator.call(confirmQuarantinedAgent, {
      params: { id: claim?.id ?? 0 },
      ...(clientId && { body: { clientId } }),
    })
  const unrelated = await given.computer()

  const undecided = await confirm()
  const wrong = await confirm(unrelated.id)
  const confirmed = await confirm(second.id)

  expect(undecided).toMatchObject({ status: 409, problem: 'AmbiguousClaim' })
  expect(wrong).toMatchObject({ status: 409, problem: 'ComputerNotClaimed' })
  expect(confirmed.status).toBe(204)
  expect(await claimsOf([first.id, second.id])).toEqual([])
  const moved = (await agentWith(answer.body).contact({ canRotateCredential: true })).body
  expect(moved).toMatchObject({ work: [], credential: expect.stringMatching(`^agent-${second.id}\\.`) })
  const agent = agentWith({ clientId: second.id, credential: moved.credential ?? '' })
  expect((await agent.contact()).body.work).toMatchObject([{ workId }])
  // The agent repeats its enrolment: it is known, and stays the agent of that computer.
  const again = await withToken(undefined).call(enrolAgent, { body })
  expect(again.body).toMatchObject({ clientId: second.id, quarantined: false })
})

test('a candidate shows whether it has an agent, which the confirmation would shut out', async () => {
  const { uuid, mac, first, second } = await twins()
  await enrol({ uuid, macAddress: mac })
  await enrol({ uuid })

  const [claim] = await claimsOf([first.id, second.id])

  expect(claim?.candidates.map(({ clientId, hasAgent }) => [clientId, hasAgent]).toSorted()).toEqual([
    [first.id, false],
    [second.id, true],
  ])
})

/** An agent that matched two computers and was confirmed for the second one. */
async function confirmedAgent() {
  const { uuid, first, second } = await twins()
  const { body } = await enrol({ uuid })
  const [claim] = await claimsOf([first.id, second.id])
  const params = { id: claim?.id ?? 0 }
  await administrator.call(confirmQuarantinedAgent, { params, body: { clientId: second.id } })
  return { body, first, second, claim }
}

test.each([
  ['is revoked', ({ second: { id } }: Confirmed) => administrator.call(revokeAgentCredential, { params: { id } })],
  [
    'is replaced by another one',
    async ({ body, second: { id } }: Confirmed) => {
      const { code } = (await administrator.call(allowComputerReEnrolment, { params: { id }, body: {} })).body
      return (await enrol({ uuid: body.computer.uuid }, code)).answer
    },
  ],
])('a confirmation ends when the agent %s: its enrolment key brings it back as a new claim only', async (_, end) => {
  const confirmed = await confirmedAgent()
  const { body, first, second, claim } = confirmed
  expect((await end(confirmed)).status).toBeLessThan(300)
  const { token: _used, ...again } = body
  const { token } = await enrolmentToken({ maxUses: 1 })

  const repeated = await withToken(undefined).call(enrolAgent, { body: { ...again, token } })

  expect(repeated.body).toMatchObject({ quarantined: true })
  const claims = await claimsOf([first.id, second.id])
  expect(claims).toHaveLength(1)
  expect(claims[0]?.id).not.toBe(claim?.id)
  // It is a new claim, which uses the token.
  const other = await withToken(undefined).call(enrolAgent, { body: { ...enrolment(), token } })
  expect(other.problem).toBe('EnrolmentTokenInvalid')
})

type Confirmed = Awaited<ReturnType<typeof confirmedAgent>>

test('of two people who confirm an agent for different computers on two nodes at the same time, one succeeds', async () => {
  const { uuid, first, second } = await twins()
  await enrol({ uuid })
  const [claim] = await claimsOf([first.id, second.id])
  const confirm = (tx: Database, clientId: number) => confirmClaim(tx, claim?.id ?? 0, clientId)
  const other = Promise.withResolvers<void>()

  const rejection = expect(other.promise).rejects.toThrow('No agent in quarantine has this id.')
  await db.transaction().execute(async (tx) => {
    await confirm(tx, first.id)
    db.transaction()
      .execute((elsewhere) => confirm(elsewhere, second.id))
      .then(other.resolve, other.reject)
    // The other one has looked at the claim before this one is committed.
    await sleep(300)
  })

  await rejection
  const agents = await db
    .selectFrom('agents')
    .select('computer_id')
    .where('computer_id', 'in', [first.id, second.id])
    .execute()
  expect(agents).toEqual([{ computer_id: first.id }])
})

test('a re-enrolment code shows which of several computers the agent runs on', async () => {
  const { uuid, first, second } = await twins()
  const codeOf = async ({ id }: { id: number }) =>
    (await administrator.call(allowComputerReEnrolment, { params: { id }, body: {} })).body.code

  const [one, other] = [await enrol({ uuid }, await codeOf(second)), await enrol({ uuid }, await codeOf(first))]

  expect([one.answer.body, other.answer.body]).toMatchObject([
    { clientId: second.id, quarantined: false },
    { clientId: first.id, quarantined: false },
  ])
})

test('an agent that is enrolled keeps its computer when another one is entered with the same UUID', async () => {
  const { body, answer } = await enrol({ macAddress: null })
  await given.computer({ uuid: body.computer.uuid ?? '' })

  const again = await withToken(undefined).call(enrolAgent, {
    body: { ...body, computer: { ...body.computer, name: 'renamed' } },
  })

  expect(again.body).toMatchObject({ clientId: answer.body.clientId, quarantined: false })
})

test.each([
  '03000200-0400-0500-0006-000700080009',
  '03000200-0400-0500-0006-000700080009'.toUpperCase(),
  '01010101-0101-0101-0101-010101010101',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '11111111-1111-1111-1111-111111111111',
])('%s identifies no computer, because firmware without a UUID reports it', async (uuid) => {
  const existing = await given.computer({ uuid: uuid.toLowerCase() })

  const { answer } = await enrol({ uuid })

  expect(answer.body.clientId).not.toBe(existing.id)
  expect(answer.body.quarantined).toBe(false)
})

type Twins = Awaited<ReturnType<typeof twins>>
