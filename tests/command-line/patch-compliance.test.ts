import { expect, test } from 'vitest'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { openPolicyWorld } from '../../server/test/patch-policies/policy-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openPolicyWorld()
const { critical, db, fleet, given } = world
const { muster } = await commandsIn(world)

test('the compliance of groups and of a computer follows the SLA, which is read and changed', async () => {
  const { group, computer, other } = await fleet()
  const patch = await critical(10)
  await given.patchScan(computer, [patch.missing])
  await given.patchScan(other, [])
  await refreshFleetStatistics(db)

  const listed = await muster('patch-compliance', '--overdue', '-o', 'csv')
  const filtered = await muster('patch-compliance', 'list', group.name, '--severity', 'Low', '-o', 'json')
  const explained = await muster('patch-compliance', 'computer', `#${computer.id}`)
  const shown = await muster('patch-compliance', 'sla')
  const tried = await muster('patch-compliance', 'set-sla', '--critical', '30', '--dry-run')
  const still = await muster('patch-compliance', 'computer', `#${computer.id}`, '-o', 'json')
  const changed = await muster('patch-compliance', 'set-sla', '--critical', '30', '--low', 'none', '-o', 'json')
  const later = await muster('patch-compliance', 'computer', `#${computer.id}`, '-o', 'json')
  const all = await muster('patch-compliance', 'computer', `#${computer.id}`, '--all', '-o', 'json')

  expect(listed.out).toContain(`${group.path},2,0,1,1,1,1,1`)
  expect(JSON.parse(filtered.out)).toMatchObject([{ groupId: group.id, overduePatches: 0, withinSla: 2 }])
  expect(explained.out).toMatch(/State +Overdue\n/)
  expect(explained.out).toContain('No patch management group of the computer releases it')
  expect(shown.out).toMatch(/Critical +7 days\n/)
  expect(shown.out).toMatch(/Not rated +none\n/)
  expect(tried.code).toBe(0)
  expect(JSON.parse(still.out)).toMatchObject([{ patchId: patch.id, slaDays: 7, daysOverdue: 3 }])
  expect(JSON.parse(changed.out)).toEqual({ critical: 30, important: 14, moderate: 30, low: null, unrated: null })
  expect(JSON.parse(later.out)).toEqual([])
  expect(JSON.parse(all.out)).toMatchObject([{ patchId: patch.id, slaDays: 30, daysOverdue: 0 }])
})

test('an SLA that is no number of days, or of no severity, is refused before anything is sent', async () => {
  const [wrong, none] = [
    await muster('patch-compliance', 'set-sla', '--critical', 'soon'),
    await muster('patch-compliance', 'set-sla'),
  ]

  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('--critical needs a whole number from 1') })
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('Name a severity: --critical') })
})
