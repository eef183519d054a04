import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { continuePatchRings } from '../../server/src/features/patch-policies/continue-rings.ts'
import { recordPatchCounts } from '../../server/src/features/patches/patch-counts.ts'
import { daysAgo, openPolicyWorld } from '../../server/test/patch-policies/policy-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openPolicyWorld()
const { critical, fleet, given } = world
const { muster, musterOn, settings } = await commandsIn(world)

const file = (days: number) => `
name: Tills
description: What tills get
rules:
  - name: Critical first
    action: Approve
    afterDays: ${days}
    severities: [Critical]
  - name: No previews
    action: Decline
    titles: ["*preview*"]
`

test('a policy is a file: rehearsed, created, assigned by the path of a group, shown, changed and deleted', async () => {
  const { group, computer } = await fleet()
  const patch = await critical(4)
  await given.patchScan(computer, [patch.missing])
  const path = join(settings, 'tills.yaml')
  await writeFile(path, file(2))

  const rehearsed = await muster('patch-policies', 'rehearse', path, '--group', group.name, '--days', '30')
  const tried = await muster('patch-policies', 'apply', path, '--dry-run')
  const created = await muster('patch-policies', 'apply', path)
  const assigned = await muster('patch-policies', 'assign', 'tills', group.name)
  const shown = await muster('patch-policies', 'show', 'Tills')
  const listed = await muster('patch-policies', 'list', '-o', 'csv')
  const explained = await muster('patch-policies', 'explain', `#${computer.id}`, '-o', 'json')
  const changed = await musterOn({ readInput: async () => file(30) }, 'patch-policies', 'apply', '-', '--expect', '2')
  const later = await muster('patch-policies', 'explain', `#${computer.id}`, '-o', 'json')
  const unassigned = await muster('patch-policies', 'unassign', 'Tills', group.name)
  const deleted = await muster('patch-policies', 'delete', 'Tills')
  const gone = await muster('patch-policies', 'show', 'Tills')

  expect(rehearsed.err).toMatch(/^1 patch in 30 days, on 1 computer; \d+ released in this time match no rule\.\n$/)
  expect(rehearsed.out).toMatch(new RegExp(`${daysAgo(2)} +1 +1 +1`))
  expect(tried.out).toMatch(/^The patch policy Tills would be created, with 2 rules\.\n/)
  expect(created.out).toMatch(/^The patch policy Tills is created, with 2 rules\.\n/)
  expect(assigned.out).toMatch(/^Tills applies to 2 computers of /)
  expect(shown.out).toContain('1. Critical first: Approve after 2 days; severities Critical')
  expect(shown.out).toContain('2. No previews: Decline; titles *preview*')
  expect(listed.out).toContain('Tills,100,"Critical first; No previews",1,')
  expect(JSON.parse(explained.out)).toMatchObject([
    { patchId: patch.id, state: 'Released', ruleName: 'Critical first' },
  ])
  expect(changed).toMatchObject({ code: 0, out: expect.stringContaining('is changed, with 2 rules.') })
  expect(JSON.parse(later.out)).toMatchObject([{ patchId: patch.id, state: 'Waiting' }])
  expect(unassigned.out).toMatch(/^Tills no longer applies to /)
  expect(deleted.out).toBe('Tills is deleted.\n')
  expect(gone).toMatchObject({ code: 2, err: expect.stringContaining('No patch policy is named "Tills".') })
})

test('a file without a name is refused before anything is sent, and what the service refuses is explained', async () => {
  const unnamed = await musterOn({ readInput: async () => 'rules: []' }, 'patch-policies', 'apply', '-')
  const refused = await musterOn({ readInput: async () => 'name: Empty\nrules: []' }, 'patch-policies', 'apply', '-')

  expect(unnamed).toMatchObject({ code: 2, err: '- names no policy: it needs name and rules.\n' })
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('rules')
})

test('the rings of a policy are in its file; a patch is paused, resumed and stopped by name, with reasons', async () => {
  const { group, computers } = await fleet()
  const patch = await critical(4)
  for (const computer of computers) await given.patchScan(computer, [patch.missing])
  const path = join(settings, 'ringed.yaml')
  await writeFile(
    path,
    `${file(2)}rings:\n  - { name: Pilot, percent: 20, gate: { minInstalledPercent: 90 } }\n  - { name: Rest, afterDays: 3 }\n`,
  )
  await muster('patch-policies', 'apply', path)
  await muster('patch-policies', 'assign', 'Tills', group.name)
  await world.db.transaction().execute(recordPatchCounts)
  await continuePatchRings(world.db)

  const shown = await muster('patch-policies', 'show', 'Tills')
  const listed = await muster('patch-policies', 'progress', 'Tills', '-o', 'csv')
  const tried = await muster('patch-policies', 'stop', 'Tills', patch.key, '--dry-run')
  const paused = await muster('patch-policies', 'pause', 'Tills', patch.key, '--reason', 'It breaks printing')
  const open = await muster('patch-policies', 'progress', 'Tills', '--state', 'Open', '-o', 'json')
  const resumed = await muster('patch-policies', 'resume', 'Tills', patch.key)
  const stopped = await muster('patch-policies', 'stop', 'Tills', patch.key, '--reason', 'It breaks printing')
  const again = await muster('patch-policies', 'stop', 'Tills', patch.key)
  const [having] = computers
  if (having) await given.patchScan(having, [patch.installed])
  const rollback = ['patch-policies', 'stop', 'Tills', patch.key, '--roll-back']
  const unexpected = await muster(...rollback, '--expect', '2')
  const rolledBack = await muster(...rollback, '--expect', '1')
  const rollbacks = await muster('patch-policies', 'rollbacks', 'Tills', patch.key, '--state', 'Waiting', '-o', 'csv')
  await muster('patch-policies', 'delete', 'Tills')

  expect(unexpected.code).not.toBe(0)
  expect(rolledBack.out).toMatch(/: Stopped\. .+: It breaks printing\. .+ still have to: 1\.\n$/)
  expect(rollbacks.out).toContain(`,${patch.product.name},Waiting,,`)
  expect(shown.out).toContain('1. Pilot: 20 %; until 90 % have it, at most 5 % failures')
  expect(shown.out).toContain('2. Rest: everybody else, 3 days later; until 80 % have it, at most 5 % failures')
  expect(listed.out).toContain(`${patch.name},${patch.product.name},Open,1/2,`)
  expect(tried.out).toContain('Stopped.')
  expect(paused.out).toMatch(/: Paused\. .+ paused it: It breaks printing\.\n$/)
  expect(JSON.parse(open.out)).toEqual([])
  expect(resumed.out).toContain(`${patch.name} for ${patch.product.name} in Tills: Open.`)
  expect(stopped.out).toMatch(/: Stopped\. .+ stopped it on .+: It breaks printing\.\n$/)
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('is stopped') })
})

test('the restart of a policy is in its file, and ends when the file has none any more', async () => {
  const path = join(settings, 'restarting.yaml')
  const restart =
    'restart:\n  windows: [{ days: [Tue, Thu], start: "22:00", durationMinutes: 300 }]\n  timeoutMinutes: 15\n'
  const named = file(2).replace('Tills', 'Counters')
  await writeFile(path, `${named}${restart}`)

  await muster('patch-policies', 'apply', path)
  const shown = await muster('patch-policies', 'show', 'Counters')
  await writeFile(path, named)
  await muster('patch-policies', 'apply', path)
  const without = await muster('patch-policies', 'show', 'Counters')

  expect(shown.out).toContain('Tue, Thu from 22:00 for 300 minutes, by the clock of each computer')
  expect(without.out).toMatch(/Restarts +none/)
})
