import { expect, test } from 'vitest'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { allowComputerReEnrolment } from '../../src/features/enrolment/api/allow-computer-re-enrolment.ts'
import { forbidComputerReEnrolment } from '../../src/features/enrolment/api/forbid-computer-re-enrolment.ts'
import { enrolment, openAgentWorld } from '../channels/agent/agent-world.ts'
import { fingerprints } from '../world/tables.ts'

const { agentWith, as, db, enrolmentToken, given, readyPackage, state, withToken, work } = await openAgentWorld()
const enrol = (body: Enrolment) => withToken(undefined).call(enrolAgent, { body })
const administrator = as('admin.manage')

type Enrolment = ReturnType<typeof enrolment>

async function enrolled() {
  const { token } = await enrolmentToken()
  const asked = { ...enrolment(), token }
  return {
    asked,
    first: agentWith((await enrol(asked)).body),
    other: { ...asked, enrolmentKey: enrolment().enrolmentKey },
  }
}

/** Everything but the audit trail, which records the refusal. */
async function unaudited() {
  const { audit_chains: _chains, audit_entries: _entries, ...others } = await fingerprints(db)
  return others
}

test('a computer with an agent is not taken over by another agent', async () => {
  const { other, first } = await enrolled()
  const before = await unaudited()

  expect(await enrol(other)).toMatchObject({ status: 409, problem: 'AlreadyEnrolled' })

  expect(await unaudited()).toEqual(before)
  expect((await first.contact()).status).toBe(200)
})

async function codeFor(id: number, body?: { untilUtc: string }) {
  const allowed = await administrator.call(allowComputerReEnrolment, { params: { id }, ...(body && { body }) })
  return allowed.body
}

const another = (asked: Enrolment, token: string) => ({ ...asked, token, enrolmentKey: enrolment().enrolmentKey })

test('a computer is taken over once with its code, and the work of the previous agent goes to the next one', async () => {
  const { first, other } = await enrolled()
  const workId = await work(first, await readyPackage())
  await first.contact()
  const { code, untilUtc } = await codeFor(first.id)
  expect((await first.contact()).status).toBe(200)

  const second = agentWith((await enrol({ ...other, token: code })).body)

  expect(new Date(untilUtc).getTime()).toBeLessThanOrEqual(Date.now() + 86_400_000)
  expect(second.id).toBe(first.id)
  expect((await first.contact()).status).toBe(401)
  expect((await second.contact()).body.work).toMatchObject([{ workId, attempt: 2 }])
})

test('a second agent cannot use a code again, but the first one can repeat its enrolment', async () => {
  const { first, other } = await enrolled()
  const { code } = await codeFor(first.id)
  await enrol({ ...other, token: code })
  const before = await fingerprints(db)

  expect(await enrol(another(other, code))).toMatchObject({ status: 401, problem: 'EnrolmentTokenInvalid' })
  expect(await fingerprints(db)).toEqual(before)
  const repeated = await enrol({ ...other, token: code })

  expect((await agentWith(repeated.body).contact()).status).toBe(200)
})

test('of ten agents that use one code at the same time, one takes over', async () => {
  const { first, other } = await enrolled()
  const { code } = await codeFor(first.id)

  const answers = await Promise.all(Array.from({ length: 10 }, () => enrol(another(other, code))))

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(401)])
})

test('a code is refused for another computer, after it was withdrawn, replaced or has expired', async () => {
  const [{ first, other }, victim] = [await enrolled(), await enrolled()]
  const { code } = await codeFor(first.id)
  const refused = { status: 401, problem: 'EnrolmentTokenInvalid' }
  const before = await fingerprints(db)
  expect(await enrol({ ...victim.other, token: code })).toMatchObject(refused)
  expect(await enrol({ ...enrolment(), token: code })).toMatchObject(refused)
  expect(await fingerprints(db)).toEqual(before)
  const params = { id: first.id }

  const { code: replacement } = await codeFor(first.id)
  expect(await enrol({ ...other, token: code })).toMatchObject(refused)
  expect((await administrator.call(forbidComputerReEnrolment, { params })).status).toBe(204)
  expect(await enrol({ ...other, token: replacement })).toMatchObject(refused)
  const { code: expired } = await codeFor(first.id)
  await db.updateTable('re_enrolment_codes').set({ expires_at: new Date() }).execute()
  expect(await enrol({ ...other, token: expired })).toMatchObject(refused)

  expect((await first.contact()).status).toBe(200)
  expect((await victim.first.contact()).status).toBe(200)
})

test('a permitted re-enrolment does not let an agent with a token take over', async () => {
  const { first, other } = await enrolled()
  await codeFor(first.id)

  expect(await enrol(other)).toMatchObject({ status: 409, problem: 'AlreadyEnrolled' })
  expect((await first.contact()).status).toBe(200)
})

test('a code is shown once, and only its hash is stored', async () => {
  const { first } = await enrolled()

  const { code } = await codeFor(first.id)

  const dump = await db.selectFrom('re_enrolment_codes').selectAll().execute()
  const audited = await as('admin.manage').call(listAuditEntries, {
    query: { operation: 'allowComputerReEnrolment' },
  })
  expect(code).toMatch(/^re-enrol-[\w-]{43}$/)
  expect(JSON.stringify(dump)).not.toContain(code)
  expect(JSON.stringify(audited.body)).not.toContain(code)
})

test('a computer without an agent gets its first one with a code, whatever it matches by', async () => {
  const { id, name } = await given.computer()
  const asked = enrolment()
  const { code } = await codeFor(id)

  const { body } = await enrol({ ...asked, token: code, computer: { ...asked.computer, name } })

  expect(body).toMatchObject({ clientId: id, quarantined: false })
  expect((await agentWith(body).contact()).status).toBe(200)
})

test('the agent of a deleted computer is refused', async () => {
  const { first } = await enrolled()

  await db.deleteFrom('computers').where('id', '=', first.id).execute()

  expect((await first.contact()).status).toBe(401)
})

test('a take-over removes the mark of a duplicate identity', async () => {
  const { first, other } = await enrolled()
  await db.updateTable('agents').set({ duplicate_seen_at: new Date() }).where('computer_id', '=', first.id).execute()
  const { code } = await codeFor(first.id)

  await enrol({ ...other, token: code })

  expect(await state.agent(first)).toMatchObject({ duplicate_seen_at: null })
})

test('a code is for an existing computer and expires within 24 hours', async () => {
  const { id } = await given.computer()
  const before = await fingerprints(db)
  const allow = (clientId: number, body?: { untilUtc: string }) =>
    administrator.call(allowComputerReEnrolment, { params: { id: clientId }, ...(body && { body }) })
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

  expect(await allow(2_000_000)).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  expect(await allow(id, { untilUtc: '2020-01-01T00:00:00Z' })).toMatchObject({ status: 400 })
  expect(await allow(id, { untilUtc: inHours(25) })).toMatchObject({ status: 400 })
  const forbidden = await administrator.call(forbidComputerReEnrolment, { params: { id: 2_000_000 } })
  expect(forbidden).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  expect(await fingerprints(db)).toEqual(before)
  const untilUtc = inHours(2)
  expect((await allow(id, { untilUtc })).body.untilUtc).toBe(untilUtc)
})

test('enrolments, take-overs and repetitions are audited as acts of the agent, without its secrets', async () => {
  const { asked, first, other } = await enrolled()
  await enrol(asked)
  const { code } = await codeFor(first.id)
  await enrol({ ...other, token: code })

  const target = `/api/computer/${first.id}/agent`
  const { body } = await administrator.call(listAuditEntries, { query: { target } })

  const { name, uuid } = asked.computer
  const common = { operation: 'enrolAgent', principalId: null, principalName: `agent of ${name}`, status: 200 }
  const entry = (event: string) => ({
    ...common,
    request: { body: { event, computer: { name, uuid }, agent: { kind: 'Muster', address: '127.0.0.1' } } },
  })
  expect(body.items).toMatchObject(['TakenOver', 'Renewed', 'Created'].map(entry))
  for (const secret of [asked.token, asked.enrolmentKey, other.enrolmentKey, code])
    expect(JSON.stringify(body)).not.toContain(secret)
})
