import { expect, test } from 'vitest'
import { approvePatches } from '../../src/features/patch-management/api/approval/approve-patches.ts'
import type { ReportedPatch } from '../../src/features/patch-management/reported-patches.ts'
import { assignPatchPolicy } from '../../src/features/patch-policies/api/assign-patch-policy.ts'
import { createPatchPolicy } from '../../src/features/patch-policies/api/create-patch-policy.ts'
import { listComputerPatchRulings } from '../../src/features/patch-policies/api/list-computer-patch-rulings.ts'
import type { PatchRule } from '../../src/features/patches/policies/patch-rules.ts'
import { createVulnerabilityException } from '../../src/features/vulnerabilities/api/create-vulnerability-exception.ts'
import { getVulnerability } from '../../src/features/vulnerabilities/api/get-vulnerability.ts'
import { listComputerVulnerabilities } from '../../src/features/vulnerabilities/api/list-computer-vulnerabilities.ts'
import { listVulnerableComputers } from '../../src/features/vulnerabilities/api/list-vulnerable-computers.ts'
import { countRemedies } from '../../src/features/vulnerabilities/remedies.ts'
import { countStatements } from '../world/statements.ts'
import { builtFrom, openVulnerabilityWorld, osv, trackerEntry } from './vulnerability-world.ts'

const { as, db, given, importDocuments, computerWith, follow } = await openVulnerabilityWorld()
const reader = as('pm.read', 'computer.read')
const system = 'Debian GNU/Linux 12'

/** A missing patch of a package that is built from a source package of the same version. */
const update = (source: string, name: string, from: string, to: string): ReportedPatch => ({
  key: `${name} ${to}`,
  product: system,
  status: 'Missing',
  type: 'SecurityPatch',
  component: {
    ...{ name, version: to, installedVersion: from },
    ...{ sourceName: source, sourceVersion: to, installedSourceVersion: from },
  },
})

let cases = 0

/** A vulnerability of a package, with computers of one group that have it. Without a version, it has no fix. */
async function vulnerability({ computers: count = 1, fixedIn = '1.1-1' as string | null } = {}) {
  const name = `remedy${++cases}`
  const [key, library] = [`CVE-2026-${50_000 + cases}`, `lib${name}`]
  const group = await given.group()
  const computers: { id: number }[] = []
  for (let position = 0; position < count; position++) {
    const computer = await computerWith([builtFrom(name, library, '1.0-1')])
    await given.member(group, computer)
    computers.push(computer)
  }
  const release = fixedIn === null ? { status: 'open' } : { status: 'resolved', fixed_version: fixedIn }
  await importDocuments(
    'DebianTracker',
    { 'a.json': { [name]: { [key]: trackerEntry({ bookworm: release }) } } },
    { source: name },
  )
  const [computer] = computers
  if (!computer) throw new Error('There is at least one computer.')
  return { key, name, library, group, computers, computer, patch: update(name, library, '1.0-1', '1.1-1') }
}

async function policy(group: { id: string }, rule: Partial<PatchRule> & Pick<PatchRule, 'action'>) {
  const name = `Policy ${++cases}`
  const { body } = await as('pm.approve', 'pm.read').call(createPatchPolicy, {
    body: { name, rules: [{ name: 'The rule', unconfirmed: true, ...rule }] },
  })
  await as('pm.approve').call(assignPatchPolicy, { params: { id: body.id }, body: { groupId: group.id } })
  return name
}

/** How a vulnerability of a computer goes away, by the list of the computer and by that of the vulnerability. */
async function remedyOf({ id }: { id: number }, key: string) {
  const { body } = await reader.call(listComputerVulnerabilities, { params: { id }, query: { search: key } })
  const { body: affected } = await reader.call(listVulnerableComputers, { params: { key }, query: { top: 1_000 } })
  const states = affected.items.filter(({ clientId }) => clientId === id).map(({ remedy }) => remedy.state)
  return {
    remedy: body.items[0]?.remedy,
    ofPackages: body.items[0]?.packages.map(({ remedy }) => remedy.state),
    states,
  }
}

const countsOf = async (key: string) => {
  const { body } = await reader.call(getVulnerability, { params: { key } })
  return body.remedies.map(({ state, patchName, computers }) => [state, patchName, computers])
}

const today = (days = 0) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('a finding without a fixed version has no fix, and one without a patch that brings it says so', async () => {
  const [open, unscanned] = [await vulnerability({ fixedIn: null }), await vulnerability()]
  const older = update(unscanned.name, unscanned.library, '1.0-1', '1.0-2')

  const before = await remedyOf(unscanned.computer, unscanned.key)
  await given.patchScan(unscanned.computer, [older])

  expect((await remedyOf(open.computer, open.key)).remedy).toEqual({
    ...{ state: 'NoFix', patchId: null, patchName: null, approvedUtc: null },
    message: 'No fixed version is known yet.',
  })
  expect(before).toMatchObject({ remedy: { state: 'NoPatch', patchId: null }, states: ['NoPatch'] })
  expect(await remedyOf(unscanned.computer, unscanned.key)).toEqual(before)
  expect(await countsOf(open.key)).toEqual([['NoFix', null, 1]])
  expect(await countsOf(unscanned.key)).toEqual([['NoPatch', null, 1]])
})

test('a patch that brings the fixed version or a later one says by which rule and when it is released', async () => {
  const [released, waiting, review, declined, undecided] = [
    await vulnerability(),
    await vulnerability(),
    await vulnerability(),
    await vulnerability(),
    await vulnerability(),
  ]
  const names = [
    await policy(released.group, { action: 'Approve' }),
    await policy(waiting.group, { action: 'Approve', afterDays: 5 }),
    await policy(review.group, { action: 'Review' }),
    await policy(declined.group, { action: 'Decline' }),
  ]
  for (const { computer, name, library } of [released, waiting, review, declined, undecided])
    await given.patchScan(computer, [update(name, library, '1.0-1', '1.2-1')])

  const patchOf = ({ library }: { library: string }) => `The patch ${library} 1.2-1 brings the fixed version.`
  const rule = (at: number) => `The rule "The rule" of the patch policy ${names[at]}`
  expect(await remedyOf(released.computer, released.key)).toMatchObject({
    remedy: { state: 'Released', message: `${patchOf(released)} ${rule(0)} approved it on ${today()}.` },
    states: ['Released'],
  })
  expect(await remedyOf(waiting.computer, waiting.key)).toMatchObject({
    remedy: {
      state: 'Waiting',
      approvedUtc: expect.stringContaining(today(5)),
      message: `${patchOf(waiting)} ${rule(1)} approves it on ${today(5)}.`,
    },
    states: ['Waiting'],
  })
  expect(await remedyOf(review.computer, review.key)).toMatchObject({
    remedy: { state: 'NeedsPerson', message: expect.stringContaining('leaves it to a person') },
    states: ['NeedsPerson'],
  })
  expect(await remedyOf(declined.computer, declined.key)).toMatchObject({
    remedy: { state: 'Declined', message: `${patchOf(declined)} ${rule(3)} declines it.` },
    states: ['Declined'],
  })
  expect(await remedyOf(undecided.computer, undecided.key)).toMatchObject({
    remedy: { state: 'NeedsPerson', patchName: `${undecided.library} 1.2-1` },
    states: ['NeedsPerson'],
  })
})

test('an approval of the patch that waits for a person releases the fix', async () => {
  const { key, group, computer, patch } = await vulnerability()
  await policy(group, { action: 'Review' })
  await given.patchScan(computer, [patch])
  const { remedy } = await remedyOf(computer, key)

  await as('pm.approve').call(approvePatches, { body: { patchIds: [remedy?.patchId ?? 0] } })

  expect(remedy).toMatchObject({ state: 'NeedsPerson', patchName: patch.key })
  expect(await remedyOf(computer, key)).toMatchObject({ remedy: { state: 'Released' }, states: ['Released'] })
})

test('the page of a vulnerability counts each computer once, by the package that is fixed last', async () => {
  const { key, group, computers, patch, name, library } = await vulnerability({ computers: 4 })
  await policy(group, { action: 'Approve' })
  const [one, two, three, four] = computers as [{ id: number }, { id: number }, { id: number }, { id: number }]
  const other = update(name, `${name}-tools`, '1.0-1', '1.1-1')
  const another = await computerWith([builtFrom(name, library, '1.0-1'), builtFrom(name, `${name}-tools`, '1.0-1')])
  await follow()
  await given.member(group, another)
  await given.patchScan(one, [patch])
  await given.patchScan(two, [patch])
  await given.patchScan(three, [])
  await given.patchScan(another, [patch, other])
  await as('pm.approve').call(createVulnerabilityException, {
    params: { key },
    body: { status: 'NotAffected', reason: 'Not reachable', computerId: four.id } as never,
  })

  expect(await countsOf(key)).toEqual([
    ['Excepted', null, 1],
    ['Released', patch.key, 3],
    ['NoPatch', null, 1],
  ])
  expect(await remedyOf(four, key)).toMatchObject({
    remedy: { state: 'Excepted', message: 'An exception covers it.' },
    states: ['Excepted'],
  })
})

test('of very many computers, some are counted, and the numbers are an estimate', async () => {
  const { key, computers } = await vulnerability({ computers: 6, fixedIn: null })
  const { id } = await db.selectFrom('vulnerabilities').select('id').where('key', '=', key).executeTakeFirstOrThrow()
  const affected = { vulnerabilityId: id, affectedComputers: computers.length }

  const all = await countRemedies(db, affected, 6)
  const some = await countRemedies(db, affected, 3)

  expect(all).toMatchObject({ areRemediesEstimated: false, remedies: [{ state: 'NoFix', computers: 6 }] })
  const even = computers.filter((one) => one.id % 2 === 0).length
  expect(some).toMatchObject({ areRemediesEstimated: true, remedies: [{ state: 'NoFix', computers: even * 2 }] })
})

test('of the packages of one source, each is fixed by the patch of its own package', async () => {
  const { key, name, library, group } = await vulnerability()
  const computer = await computerWith([builtFrom(name, library, '1.0-1'), builtFrom(name, `${name}-tools`, '1.0-1')])
  await follow()
  await given.member(group, computer)
  await policy(group, { action: 'Approve', titles: [`${library}*`] })
  await given.patchScan(computer, [
    update(name, library, '1.0-1', '1.1-1'),
    update(name, `${name}-tools`, '1.0-1', '1.1-1'),
  ])

  const { remedy, ofPackages } = await remedyOf(computer, key)

  expect(ofPackages?.toSorted()).toEqual(['NeedsPerson', 'Released'])
  expect(remedy).toMatchObject({ state: 'NeedsPerson', patchName: `${name}-tools 1.1-1` })
})

test('a source that knows a fixed version counts before one that knows none', async () => {
  const { key, name, computer, patch, group } = await vulnerability({ fixedIn: null })
  await policy(group, { action: 'Approve' })
  await importDocuments(
    'Osv',
    { 'a.json': osv(`DSA-${cases}`, 'Debian:12', name, [{ introduced: '0' }, { fixed: '1.1-1' }], { aliases: [key] }) },
    { source: `${name}-osv` },
  )
  await given.patchScan(computer, [patch])

  expect(await remedyOf(computer, key)).toMatchObject({
    remedy: { state: 'Released' },
    states: expect.arrayContaining(['NoFix', 'Released']),
  })
  expect(await countsOf(key)).toEqual([['Released', patch.key, 1]])
})

test('the remedy names the same decision as the rulings of the computer', async () => {
  const { computer, key, group, patch } = await vulnerability()
  for (const action of ['Approve', 'Review', 'Decline'] as const) {
    await policy(group, { action, titles: [`*${action}*`] })
  }
  await given.patchScan(computer, [patch])

  const { body } = await reader.call(listComputerPatchRulings, { params: { id: computer.id } })
  const { remedy } = await remedyOf(computer, key)

  expect(remedy?.message).toBe(`The patch ${patch.key} brings the fixed version. ${body.items[0]?.message}`)
})

test('a page of vulnerabilities takes as many statements as one vulnerability', async () => {
  const name = `many${++cases}`
  const computer = await computerWith([builtFrom(name, `lib${name}`, '1.0-1')])
  const keys = Array.from({ length: 40 }, (_, at) => `CVE-2026-${60_000 + at}`)
  const entry = trackerEntry({ bookworm: { status: 'resolved', fixed_version: '1.1-1' } })
  await importDocuments(
    'DebianTracker',
    { 'a.json': { [name]: Object.fromEntries(keys.map((key) => [key, entry])) } },
    { source: name },
  )
  await given.patchScan(computer, [update(name, `lib${name}`, '1.0-1', '1.1-1')])
  const page = (query: object) => reader.call(listComputerVulnerabilities, { params: { id: computer.id }, query })
  await page({})

  const [one, all] = [await countStatements(() => page({ top: 1 })), await countStatements(() => page({}))]

  expect((await page({})).body.items.map(({ remedy }) => remedy.state)).toEqual(keys.map(() => 'NeedsPerson'))
  expect(all).toBe(one)
})
