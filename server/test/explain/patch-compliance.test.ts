import { expect, test } from 'vitest'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { listComputerPatchCompliance } from '../../src/features/explain/api/list-computer-patch-compliance.ts'
import { getPatchSla } from '../../src/features/patches/api/get-patch-sla.ts'
import { setPatchSla } from '../../src/features/patches/api/set-patch-sla.ts'
import { criticalAfter2Days, daysAgo, openPolicyWorld } from '../patch-policies/policy-world.ts'

const { as, given, critical, fleet, policy, scannablePatch } = await openPolicyWorld()
const reader = as('computer.read')

const complianceOf = async ({ id }: { id: number }, query: object = {}) =>
  (await reader.call(listComputerPatchCompliance, { params: { id }, query })).body

test('each overdue patch has the days since it was due, and the most overdue comes first', async () => {
  const { computer } = await fleet()
  const [late, latest, due] = [await critical(9), await critical(20), await critical(7)]
  const unrated = await scannablePatch({ release_date: daysAgo(500) })
  await given.patchScan(computer, [late.missing, due.missing, unrated.missing, latest.missing])

  const body = await complianceOf(computer)

  expect(body).toMatchObject({ state: 'Overdue', missingPatches: 4, overduePatches: 2, totalCount: 4 })
  expect(body.items.map(({ patchId, slaDays, dueOn, daysOverdue }) => [patchId, slaDays, dueOn, daysOverdue])).toEqual([
    [latest.id, 7, daysAgo(13), 13],
    [late.id, 7, daysAgo(2), 2],
    [due.id, 7, daysAgo(0), 0],
    [unrated.id, null, null, null],
  ])
  expect((await complianceOf(computer, { overdue: true })).items.map(({ patchId }) => patchId)).toEqual([
    latest.id,
    late.id,
  ])
  expect((await complianceOf(computer, { overdue: false })).totalCount).toBe(2)
})

test('a patch that is not released has the reason of its ruling, and its lock on the computer', async () => {
  const { computer, group } = await fleet()
  const [asked, undecided] = [
    await critical(9),
    await scannablePatch({ vendor_severity: 'Important', release_date: daysAgo(30) }),
  ]
  await given.patchScan(computer, [{ ...asked.missing, lockedBy: 'apt-mark hold' }, undecided.missing])
  await policy([{ name: 'Ask first', action: 'Review', severities: ['Critical'] }], [group], { name: 'Careful' })

  const { items } = await complianceOf(computer)
  const messages = new Map(items.map(({ patchId, message }) => [patchId, message]))

  expect(messages.get(asked.id)).toBe(
    'The rule "Ask first" of the patch policy Careful leaves it to a person, who has not approved it. ' +
      'It is locked on the computer: apt-mark hold.',
  )
  expect(messages.get(undecided.id)).toContain('no rule of its patch policies matches it')
  expect(items.every(({ verdict, blockers }) => verdict === null && blockers.length === 0)).toBe(true)
})

test('a released patch has the answer of explainComputer: what its installation waits for', async () => {
  const { computer, group } = await fleet()
  const patch = await critical(9)
  await policy([criticalAfter2Days], [group])
  await given.patchScan(computer, [patch.missing])

  const { items } = await complianceOf(computer)
  const { body: explained } = await reader.call(explainComputer, {
    params: { id: computer.id },
    query: { patchId: patch.id },
  })

  expect(items).toMatchObject([
    {
      patchId: patch.id,
      state: 'Released',
      verdict: explained.verdict,
      message: explained.message,
      blockers: explained.blockers,
    },
  ])
  expect(explained.message).toContain('approved it on')
})

test('a computer without a patch scan is neither within the SLA nor overdue', async () => {
  const computer = await given.computer()

  expect(await complianceOf(computer)).toMatchObject({
    state: 'NotScanned',
    scannedUtc: null,
    missingPatches: 0,
    items: [],
  })
  await given.patchScan(computer, [])
  expect(await complianceOf(computer)).toMatchObject({ state: 'WithinSla', scannedUtc: expect.any(String) })
})

test('the compliance of a computer follows a changed SLA at once', async () => {
  const { computer } = await fleet()
  const patch = await critical(9)
  await given.patchScan(computer, [patch.missing])
  const { body: usual } = await as('pm.read').call(getPatchSla)

  await as('pm.approve', 'pm.read').call(setPatchSla, { body: { ...usual, critical: 30 } })
  const later = await complianceOf(computer)
  await as('pm.approve', 'pm.read').call(setPatchSla, { body: usual })

  expect(later).toMatchObject({ state: 'WithinSla', overduePatches: 0, sla: { critical: 30 } })
  expect(await complianceOf(computer)).toMatchObject({ state: 'Overdue', overduePatches: 1 })
})

test('the compliance of an unknown computer is not found', async () => {
  const answer = await reader.call(listComputerPatchCompliance, { params: { id: 2_000_000_000 } })

  expect(answer.status).toBe(404)
})
