import { expect, test } from 'vitest'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { createPatchPolicy } from '../../src/features/patch-policies/api/create-patch-policy.ts'
import { getPatchPolicy } from '../../src/features/patch-policies/api/get-patch-policy.ts'
import { updatePatchPolicy } from '../../src/features/patch-policies/api/update-patch-policy.ts'
import { daysAgo } from './policy-world.ts'
import { openRingWorld } from './ring-world.ts'

const world = await openRingWorld()
const { as, given, ringFleet, released, install, passHours, progress, rulings, tick, policy } = world
const { laterPatch, listOpenWork } = world

const approver = as('pm.approve', 'pm.read')
const ids = (computers: readonly { id: number }[]) => computers.map(({ id }) => id)

test('nobody outside the open ring gets a patch; the next ring opens when the ring before has it and its days have passed', async () => {
  const {
    computers,
    pilots,
    rest,
    patch,
    policy: made,
  } = await ringFleet({
    pilots: 4,
    rings: (groupId) => [
      { name: 'Pilot', groupId, gate: { minInstalledPercent: 75 } },
      { name: 'Everybody', afterDays: 2 },
    ],
  })
  const first = rest[0] ?? { id: 0 }
  expect(await released(computers, patch)).toEqual([])
  expect((await rulings(first)).get(patch.id)).toMatchObject({
    state: 'WaitingForRing',
    ring: 2,
    ringName: 'Everybody',
    openRing: 0,
  })

  await tick()
  const atFirst = await released(computers, patch)
  await install(pilots.slice(0, 2), patch)
  await tick()
  const waiting = (await rulings(first)).get(patch.id)
  await install(pilots.slice(2, 3), patch)
  await tick()
  const met = (await rulings(first)).get(patch.id)
  await passHours(47)
  await tick()
  const early = await released(rest, patch)
  await passHours(2)
  await tick()

  expect(atFirst).toEqual(ids(pilots))
  expect(waiting).toMatchObject({
    state: 'WaitingForRing',
    message:
      `The rule "rule 1" of the patch policy ${made.name} approved it on ${daysAgo(3)}; the computer is in ring 2 (Everybody), ` +
      'which opens once ring 1 has installed it on 75 % (now 50 % of 4 computers), 2 days later.',
  })
  expect(met?.message).toContain(
    `in ring 2 (Everybody), which opens on ${daysAgo(-2)} if the results of ring 1 stay good.`,
  )
  expect(early).toEqual([])
  expect(await released(rest, patch)).toEqual(ids(rest))
  expect(await progress(made)).toMatchObject([
    {
      patchId: patch.id,
      state: 'Open',
      openRing: 2,
      rings: [
        { ring: 1, name: 'Pilot', installed: 3, lacking: 1 },
        { ring: 2, name: 'Everybody', installed: 0, lacking: 3 },
      ],
    },
  ])
})

test('an open ring makes the fix work of its computers due at their next scan, and of no others', async () => {
  const { pilots, rest, patch } = await ringFleet()
  await tick()

  for (const computer of [...pilots, ...rest]) await given.patchScan(computer, [patch.missing])

  expect(await Promise.all(pilots.map(async (one) => (await listOpenWork(one)).length))).toEqual([1, 1])
  expect(await Promise.all(rest.map(async (one) => (await listOpenWork(one)).length))).toEqual([0, 0, 0])
})

test('the first ring opens days after the approval', async () => {
  const late = await ringFleet({
    rings: (groupId) => [{ name: 'Pilot', groupId, afterDays: 5 }, { name: 'Everybody' }],
  })
  await tick()

  expect(await released(late.computers, late.patch)).toEqual([])
  expect((await rulings(late.pilots[0] ?? { id: 0 })).get(late.patch.id)?.message).toContain(
    `the computer is in ring 1 (Pilot), which opens on ${daysAgo(-2)}.`,
  )
  expect((await rulings(late.rest[0] ?? { id: 0 })).get(late.patch.id)?.message).toContain(
    `the computer is in ring 2 (Everybody). Before it, ring 1 (Pilot) opens on ${daysAgo(-2)}.`,
  )
})

test('a ring waits for as many results as its gate needs, and not for computers that are away', async () => {
  const { pilots, rest, patch } = await ringFleet({
    pilots: 3,
    rings: (groupId) => [
      { name: 'Pilot', groupId, gate: { minInstalledPercent: 50, minComputers: 2 } },
      { name: 'Everybody' },
    ],
  })
  await tick()
  await install(pilots.slice(0, 1), patch)
  await passHours(25)
  await tick()
  expect(await released(rest, patch)).toEqual([])

  await install(pilots.slice(0, 2), patch)
  await tick()
  expect(await released(rest, patch)).toEqual(ids(rest))
})

test('the computers of a deleted ring group belong to the rings after it, and a ring without computers passes after a day', async () => {
  const { computers, pilotGroup, pilots, patch } = await ringFleet()
  await tick()
  await as('group.write').call(deleteGroup, { params: { id: pilotGroup.id }, query: { force: true } })

  expect((await rulings(pilots[0] ?? { id: 0 })).get(patch.id)).toMatchObject({ ring: 2, state: 'WaitingForRing' })
  await passHours(23)
  await tick()
  expect(await released(computers, patch)).toEqual([])
  await passHours(2)
  await tick()
  expect(await released(computers, patch)).toEqual(ids(computers))
})

test('computers for which another policy decides, and those that lock a patch, keep no ring closed', async () => {
  const { pilots, rest, patch } = await ringFleet({ pilots: 3 })
  const [one, two, three] = [pilots[0] ?? { id: 0 }, pilots[1] ?? { id: 0 }, pilots[2] ?? { id: 0 }]
  const declining = await given.group({ tree: 'AssignmentGroups' })
  await given.member(declining, two)
  await policy([{ action: 'Decline' }], [declining], { priority: 1 })
  await given.patchScan(three, [{ ...patch.missing, lockedBy: 'apt-mark hold' }])
  await tick()

  await install([one], patch)
  await tick()

  expect(await released(rest, patch)).toEqual(ids(rest))
})

test('what was released to everybody stays so when a policy gets rings; later patches go through them', async () => {
  const { computers, group, patch, policy: made, pilots, pilotGroup } = await ringFleet({ rings: () => [] })
  expect(await released(computers, patch)).toEqual(ids(computers))

  const { body } = await approver.call(updatePatchPolicy, {
    params: { id: made.id },
    body: { rings: [{ name: 'Pilot', groupId: pilotGroup.id }, { name: 'Everybody' }] },
  })
  const later = await laterPatch()
  for (const computer of computers) await given.patchScan(computer, [patch.missing, later.missing])
  await tick()

  expect(body.rings).toMatchObject([{ name: 'Pilot', afterDays: 0, gate: { minInstalledPercent: 80 } }, {}])
  expect(await released(computers, patch)).toEqual(ids(computers))
  expect(await released(computers, later)).toEqual(ids(pilots))
  await approver.call(updatePatchPolicy, {
    params: { id: made.id },
    body: {
      rings: [{ name: 'Pilot', groupId: pilotGroup.id }, { name: 'Office', groupId: group.id }, { name: 'Rest' }],
    },
  })
  await tick()
  expect(await released(computers, patch)).toEqual(ids(computers))
  expect(await released(computers, later)).toEqual(ids(pilots))
  await approver.call(updatePatchPolicy, { params: { id: made.id }, body: { rings: [] } })
  expect(await released(computers, later)).toEqual(ids(computers))
})

test('a patch is completed when its last ring has met its gate, and computers that join later get it', async () => {
  const { computers, group, patch, policy: made } = await ringFleet()
  await tick()
  await install(computers.slice(0, 2), patch)
  await tick()
  await install(computers, patch)
  await tick()
  expect(await progress(made)).toMatchObject([{ state: 'Completed', completedAtUtc: expect.any(String) }])

  const late = await given.computer()
  await given.member(group, late)
  await given.patchScan(late, [patch.missing])

  expect(await released([late], patch)).toEqual([late.id])
})

test('a patch that no computer of the policy lacks opens no ring', async () => {
  const { computers, patch, policy: made } = await ringFleet()
  await install(computers, patch)
  const outside = await given.computer()
  await given.patchScan(outside, [patch.missing])
  await tick()
  await tick()

  expect((await progress(made)).filter(({ openRing }) => openRing > 1)).toEqual([])
})

test('rings name groups that exist, leave computers to the rings after them, and end with one for everybody', async () => {
  const create = (rings: object[]) =>
    approver.call(createPatchPolicy, {
      body: { name: 'Refused', rules: [{ name: 'All', action: 'Approve' }], rings: rings as [] },
    })
  const group = await given.group()
  const refused = [
    await create([{ name: 'Half', percent: 50 }]),
    await create([{ name: 'Nobody' }, { name: 'Rest' }]),
    await create([{ name: 'Both', percent: 5, groupId: group.id }, { name: 'Rest' }]),
    await create([{ name: 'Gone', groupId: 'b0b5f1a8-5f0d-4d4e-9a53-0f3a3cdb7e11' }, { name: 'Rest' }]),
    await create([{ name: 'A', percent: 60 }, { name: 'B', percent: 40 }, { name: 'Rest' }]),
  ]
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])

  const { body } = await create([{ name: 'Tenth', percent: 10, afterDays: 1 }, { name: 'Rest' }])
  const found = await approver.call(getPatchPolicy, { params: { id: body.id } })
  expect(found.body.rings).toEqual([
    {
      name: 'Tenth',
      percent: 10,
      afterDays: 1,
      gate: { minInstalledPercent: 80, maxFailedPercent: 5, minComputers: 1 },
    },
    { name: 'Rest', afterDays: 0, gate: { minInstalledPercent: 80, maxFailedPercent: 5, minComputers: 1 } },
  ])
})
