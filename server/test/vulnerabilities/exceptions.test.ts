import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createVulnerabilityException } from '../../src/features/vulnerabilities/api/create-vulnerability-exception.ts'
import { deleteVulnerabilityException } from '../../src/features/vulnerabilities/api/delete-vulnerability-exception.ts'
import { getVulnerability } from '../../src/features/vulnerabilities/api/get-vulnerability.ts'
import { listComputerVulnerabilities } from '../../src/features/vulnerabilities/api/list-computer-vulnerabilities.ts'
import { listVulnerabilityExceptions } from '../../src/features/vulnerabilities/api/list-vulnerability-exceptions.ts'
import { listVulnerableComputers } from '../../src/features/vulnerabilities/api/list-vulnerable-computers.ts'
import { countVulnerableComputers } from '../../src/features/vulnerabilities/compare/count-computers.ts'
import { builtFrom, openVulnerabilityWorld, trackerEntry } from './vulnerability-world.ts'

const { as, db, given, importDocuments, computerWith } = await openVulnerabilityWorld()
const reader = as('pm.read', 'computer.read')
const approver = as('pm.approve')

let cases = 0

/** A vulnerability that two computers have. */
async function vulnerabilityOfTwo() {
  const name = `case${++cases}`
  const key = `CVE-2026-${30_000 + cases}`
  const computers = [
    await computerWith([builtFrom(name, name, '1.0-1')]),
    await computerWith([builtFrom(name, name, '1.0-1')]),
  ] as const
  await importDocuments(
    'DebianTracker',
    { 'a.json': { [name]: { [key]: trackerEntry({ bookworm: { status: 'open' } }) } } },
    { source: name },
  )
  return { key, computers }
}

const counts = async (key: string) => {
  const { body } = await reader.call(getVulnerability, { params: { key } })
  return [body.state, body.affectedComputers, body.openComputers]
}

const except = async (key: string, body: object) =>
  approver.call(createVulnerabilityException, {
    params: { key },
    body: { status: 'NotAffected', reason: 'Not reachable', ...body } as never,
  })

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

test('an exception for the fleet leaves nothing open, and withdrawing it opens everything again', async () => {
  const { key, computers } = await vulnerabilityOfTwo()

  const { body: exception } = await except(key, {})
  const covered = await counts(key)
  const { body: ofComputer } = await reader.call(listComputerVulnerabilities, { params: { id: computers[0].id } })
  await approver.call(deleteVulnerabilityException, { params: { id: exception.id } })

  expect(exception).toMatchObject({
    vulnerability: key,
    status: 'NotAffected',
    isInForce: true,
    groupId: null,
    computerId: null,
  })
  expect(covered).toEqual(['Excepted', 2, 0])
  expect(ofComputer.items).toMatchObject([{ key, isExcepted: true }])
  expect(await counts(key)).toEqual(['Open', 2, 2])
})

test('an exception for a computer or a group covers only its computers and those of groups below it', async () => {
  const { key, computers } = await vulnerabilityOfTwo()
  const parent = await given.group()
  const child = await given.group({ parent })
  await given.member(child, computers[0])

  await except(key, { groupId: parent.id })
  const byGroup = await counts(key)
  const { body } = await reader.call(listVulnerableComputers, { params: { key }, query: { isExcepted: false } })
  await except(key, { computerId: computers[1].id, status: 'FalsePositive' })

  expect(byGroup).toEqual(['Open', 2, 1])
  expect(body.items.map(({ clientId }) => clientId)).toEqual([computers[1].id])
  expect(await counts(key)).toEqual(['Excepted', 2, 0])
})

test('an accepted risk needs an end, after which it is open again', async () => {
  const { key } = await vulnerabilityOfTwo()

  const endless = await except(key, { status: 'Accepted' })
  const past = await except(key, { status: 'Accepted', expiresUtc: '2020-01-01T00:00:00Z' })
  const { body } = await except(key, { status: 'Accepted', expiresUtc: tomorrow() })
  const covered = await counts(key)
  await sql`update vulnerability_exceptions set expires_at = now() - interval '1 minute' where id = ${body.id}`.execute(
    db,
  )
  await countVulnerableComputers(db)

  expect([endless.status, past.status]).toEqual([400, 400])
  expect(covered).toEqual(['Excepted', 2, 0])
  expect(await counts(key)).toEqual(['Open', 2, 2])
  const { body: listed } = await reader.call(listVulnerabilityExceptions, {
    query: { vulnerability: key.toLowerCase() },
  })
  expect(listed.items).toMatchObject([{ id: body.id, isInForce: false }])
  const { body: inForce } = await reader.call(listVulnerabilityExceptions, {
    query: { vulnerability: key, isInForce: true },
  })
  expect(inForce.items).toEqual([])
})

test('an exception names an existing vulnerability, and a group or a computer that exists', async () => {
  const { key, computers } = await vulnerabilityOfTwo()
  const group = await given.group()

  const answers = [
    await except('CVE-1999-0001', {}),
    await except(key, { computerId: 2_000_000_000 }),
    await except(key, { groupId: '00000000-0000-4000-8000-000000000000' }),
    await except(key, { groupId: group.id, computerId: computers[0].id }),
    await except(key, { reason: ' ' }),
    await approver.call(deleteVulnerabilityException, { params: { id: 2_000_000_000 } }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 400, 400, 404])
  expect(await counts(key)).toEqual(['Open', 2, 2])
})
