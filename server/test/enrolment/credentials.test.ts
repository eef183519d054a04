import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { agentChannel } from '../../src/channels/agent/index.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { allowComputerReEnrolment } from '../../src/features/enrolment/api/allow-computer-re-enrolment.ts'
import { enrolmentApi } from '../../src/features/enrolment/api/index.ts'
import { revokeAgentCredential } from '../../src/features/enrolment/api/revoke-agent-credential.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import { roleNames } from '../../src/platform/roles.ts'
import { contact, enrolment, openAgentWorld, sha256Of } from '../channels/agent/agent-world.ts'
import { addressOf } from '../world/caller.ts'
import { fingerprints } from '../world/tables.ts'

const world = await openAgentWorld()
const { agent, agentWith, app, as, db, enrolmentToken, readyPackage, state, withToken, work } = world
const administrator = as('admin.manage')
const enrol = (body: ReturnType<typeof enrolment>) => withToken(undefined).call(enrolAgent, { body })
const revoke = ({ id }: { id: number }) => administrator.call(revokeAgentCredential, { params: { id } })

/** An agent whose credential is old enough to be replaced. */
async function oldAgent() {
  const made = await agent()
  await sql`update agents set secret_issued_at = now() - interval '31 days' where computer_id = ${made.id}`.execute(db)
  return made
}

type Agent = Awaited<ReturnType<typeof agent>>

async function offerTo(one: Agent): Promise<Agent> {
  const { credential } = (await one.contact({ canRotateCredential: true })).body
  return agentWith({ clientId: one.id, credential: credential ?? expect.fail('No credential was offered.') })
}

test('a revoked credential is refused at once on every route of the agent channel, without effect', async () => {
  const one = await agent()
  const workId = await work(one, await readyPackage({ files: { a: 'a file' } }))
  await one.contact()
  await one.start(workId)
  const operations = agentChannel.sections.flatMap((section) => section.operations)
  const withCredential = operations.filter(({ role }) => role === 'machine')
  const inputs = { workId, sha256: sha256Of('a file'), section: 'system' }

  expect((await revoke(one)).status).toBe(204)

  const before = await fingerprints(db)
  for (const operation of withCredential) {
    const names = Object.keys(operation.params.properties)
    const params = Object.fromEntries(Object.entries(inputs).filter(([name]) => names.includes(name)))
    const body = operation.id === 'reportContact' ? contact() : operation.body && exampleOf(operation.body)
    const answer = await one.itself.send({
      method: operation.method,
      url: addressOf(operation, params),
      ...(body && { payload: body as object }),
    })
    expect([operation.id, answer.status]).toEqual([operation.id, 401])
  }
  expect(withCredential.length).toBeGreaterThan(10)
  expect(await fingerprints(db)).toEqual(before)
})

test('a revoked agent enrols again with a code only, and then gets the work that it had', async () => {
  const asked = { ...enrolment(), token: (await enrolmentToken()).token }
  const first = agentWith((await enrol(asked)).body)
  const workId = await work(first, await readyPackage())
  await first.contact()
  await revoke(first)

  const withToken = await enrol(asked)
  const { code } = (await administrator.call(allowComputerReEnrolment, { params: { id: first.id } })).body
  const second = agentWith((await enrol({ ...asked, token: code })).body)

  expect(withToken).toMatchObject({ status: 409, problem: 'AlreadyEnrolled' })
  expect((await second.contact()).body.work).toMatchObject([{ workId, attempt: 2 }])
})

test('a credential can be revoked only for a computer with an agent', async () => {
  const { id } = await world.given.computer()

  expect(await revoke({ id })).toMatchObject({ status: 404, problem: 'AgentNotFound' })
  expect(await revoke({ id: 2_000_000 })).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
})

test('computer.write and all other roles but admin.manage can neither enrol, take over nor revoke agents', async () => {
  const victim = await agent()
  const others = as(...roleNames.filter((role) => role !== 'admin.manage'))
  expect((await others.send({ method: 'GET', url: '/api/computer' })).status).toBe(200)
  const before = await fingerprints(db)

  for (const operation of enrolmentApi) {
    const names = Object.keys(operation.params.properties)
    const url = addressOf(operation, Object.fromEntries(names.map((name) => [name, victim.id])))
    const payload = operation.body ? { payload: exampleOf(operation.body) as object } : {}
    const answer = await others.send({ method: operation.method, url, ...payload })
    expect([operation.id, answer.status]).toEqual([operation.id, 403])
  }

  expect(await fingerprints(db)).toEqual(before)
})

test('a principal with computer.write cannot make an agent another computer, not even with a token', async () => {
  const victim = await agent()
  const { token } = await enrolmentToken()
  const asked = enrolment()
  const { uuid } = asked.computer

  const changed = await as('computer.write').call(updateComputer, {
    params: { id: victim.id },
    body: { uuid: uuid ?? '' },
  })
  const refused = await enrol({ ...asked, token })

  expect(changed.status).toBe(200)
  expect(refused).toMatchObject({ status: 409, problem: 'AlreadyEnrolled' })
  expect((await victim.contact()).status).toBe(200)
})

test('an agent gets a new credential after 30 days, if it can store one', async () => {
  const [fresh, old] = [await agent(), await oldAgent()]

  expect((await fresh.contact({ canRotateCredential: true })).body).not.toHaveProperty('credential')
  expect((await old.contact()).body).not.toHaveProperty('credential')
  const { credential } = (await old.contact({ canRotateCredential: true })).body

  expect(credential).toMatch(new RegExp(`^agent-${old.id}\\.[\\w-]{43}$`))
  expect(credential).not.toBe(old.credential)
})

test('credentials are not replaced when MUSTER_CREDENTIAL_ROTATION_DAYS is 0', async () => {
  const old = await oldAgent()
  const { configuration } = app.services
  const days = configuration.credentialRotationDays
  configuration.credentialRotationDays = 0

  const { body } = await old.contact({ canRotateCredential: true })

  configuration.credentialRotationDays = days
  expect(body).not.toHaveProperty('credential')
})

test('the previous credential stays valid until the new one is first used by a contact', async () => {
  const old = await oldAgent()
  const next = await offerTo(old)
  expect((await old.contact()).status).toBe(200)

  expect((await next.contact({ canRotateCredential: true })).body).not.toHaveProperty('credential')

  expect((await old.contact()).status).toBe(401)
  expect((await next.contact()).status).toBe(200)
})

test('the first use of a new credential ends the previous one also if it is the report of a result', async () => {
  const old = await oldAgent()
  const workId = await work(old, await readyPackage())
  const next = await offerTo(old)

  const report = await next.report(workId)

  expect(report.body).toEqual({ accepted: true })
  expect((await old.report(workId)).status).toBe(401)
  expect((await old.contact()).status).toBe(401)
  expect((await next.contact()).status).toBe(200)
})

test('an agent that lost an offer keeps its credential and is offered another one, which alone becomes valid', async () => {
  const old = await oldAgent()
  const lost = await offerTo(old)
  const next = await offerTo(old)

  expect((await lost.contact()).status).toBe(401)
  expect((await old.contact()).status).toBe(200)
  expect((await next.contact()).status).toBe(200)
  expect((await old.contact()).status).toBe(401)
})

test('a repeated use of the new credential after a lost answer succeeds', async () => {
  const old = await oldAgent()
  const next = await offerTo(old)

  await Promise.all([next.contact(), next.contact(), next.contact()])

  expect((await next.contact()).status).toBe(200)
})

test('a revocation also ends an offered credential', async () => {
  const old = await oldAgent()
  const next = await offerTo(old)

  await revoke(old)

  expect((await next.contact()).status).toBe(401)
  expect((await next.report(1)).status).toBe(401)
  expect(await state.agent(old)).toMatchObject({ next_secret_hash: null })
})

test('an offer is left out when the row of the agent is locked, and a contact does not wait', async () => {
  const old = await oldAgent()
  await old.contact({ canRotateCredential: true })

  const { body } = await db.transaction().execute(async (blocker) => {
    await sql`select from agents where computer_id = ${old.id} for update`.execute(blocker)
    return old.contact({ canRotateCredential: true })
  })

  expect(body).not.toHaveProperty('credential')
})
