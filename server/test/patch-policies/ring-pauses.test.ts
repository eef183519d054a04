import { expect, test } from 'vitest'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { listComputerPatchRulings } from '../../src/features/patch-policies/api/list-computer-patch-rulings.ts'
import { stopPatchOfPolicy } from '../../src/features/patch-policies/api/stop-patch-of-policy.ts'
import { daysAgo } from './policy-world.ts'
import { openRingWorld } from './ring-world.ts'

const world = await openRingWorld()
const { as, given, ringFleet, released, install, fail, passHours, progress, rulings, tick, seen, change, policy } =
  world
const { critical, listOpenWork } = world

const approver = as('pm.approve', 'pm.read')
const ids = (computers: readonly { id: number }[]) => computers.map(({ id }) => id)

test('failures above the gate pause a patch: no further computer begins, and what waits is withdrawn', async () => {
  const {
    pilots,
    rest,
    patch,
    fix,
    policy: made,
  } = await ringFleet({
    pilots: 4,
    rings: (groupId) => [{ name: 'Pilot', groupId, gate: { maxFailedPercent: 25 } }, { name: 'Everybody' }],
  })
  await tick()
  for (const computer of pilots) await given.patchScan(computer, [patch.missing])
  await install(pilots.slice(0, 1), patch)
  await fail(pilots.slice(1, 2), fix)
  expect(await tick()).toBe(0)
  await fail(pilots.slice(2, 3), fix)

  expect(await tick()).toBe(1)

  expect(await released([...pilots, ...rest], patch)).toEqual([])
  expect(await listOpenWork(pilots[3] ?? { id: 0 })).toEqual([])
  const message = '2 of 4 computers of ring 1 failed to install it; at most 1 may fail.'
  expect(await progress(made, { state: ['Paused'] })).toMatchObject([{ message, pausedBy: null, openRing: 1 }])
  expect((await rulings(rest[0] ?? { id: 0 })).get(patch.id)).toMatchObject({
    state: 'Paused',
    message: `The rule "rule 1" of the patch policy ${made.name} approved it on ${daysAgo(3)}, but it waits: ${message}`,
  })
})

test('after a resume, the open rings are released again, and only later failures pause the patch', async () => {
  const { pilots, patch, fix, policy: made } = await ringFleet({ pilots: 3 })
  await tick()
  await fail(pilots.slice(0, 1), fix)
  await tick()

  const { body } = await change('resume', made, patch)
  await tick()
  const resumed = await released(pilots, patch)
  await fail(pilots.slice(1, 2), fix)
  await tick()

  expect(body.items).toMatchObject([{ state: 'Open', openRing: 1 }])
  expect(resumed).toEqual(ids(pilots))
  expect(await released(pilots, patch)).toEqual([])
  expect(await progress(made)).toMatchObject([
    {
      state: 'Paused',
      message: 'Since it was resumed: 1 of 3 computers of ring 1 failed to install it; at most 0 may fail.',
    },
  ])
})

test('computers that fall silent after they installed a patch pause it, unless others are as silent', async () => {
  const paused = async (othersAreSilent: boolean) => {
    const {
      pilots,
      rest,
      patch,
      policy: made,
    } = await ringFleet({
      others: 4,
      rings: (groupId) => [
        { name: 'Pilot', groupId },
        { name: 'Everybody', afterDays: 30 },
      ],
    })
    await tick()
    await install(pilots, patch)
    await tick()
    await passHours(25)
    await seen(pilots.slice(1))
    if (!othersAreSilent) await seen(rest)
    await tick()
    return progress(made)
  }

  expect(await paused(false)).toMatchObject([
    { state: 'Paused', message: '1 of 2 computers that installed it fell silent after it; the limit is 0.' },
  ])
  expect(await paused(true)).toMatchObject([{ state: 'Open' }])
})

test('new failed deployments of computers that installed a patch pause it', async () => {
  const {
    pilots,
    patch,
    policy: made,
  } = await ringFleet({
    rings: (groupId) => [
      { name: 'Pilot', groupId },
      { name: 'Everybody', afterDays: 30 },
    ],
  })
  const other = await given.package()
  await fail(pilots, other)
  await passHours(1)
  await tick()
  await install(pilots, patch)
  await tick()
  const before = await progress(made)

  await fail(pilots.slice(0, 1), other)
  await tick()

  expect(before).toMatchObject([{ state: 'Open' }])
  expect(await progress(made)).toMatchObject([
    { state: 'Paused', message: '1 of 2 computers that installed it have failed deployments since; the limit is 0.' },
  ])
})

test('a stopped patch is released to nobody, not even by an approval, and its waiting fix work is withdrawn', async () => {
  const { pilots, rest, patch, policy: made } = await ringFleet()
  const other = await critical(3)
  await tick()
  for (const computer of pilots) await given.patchScan(computer, [patch.missing])
  await given.patchScan(pilots[1] ?? { id: 0 }, [patch.missing, other.missing])
  const pmGroup = await given.pmGroup({ patches: [{ id: other.id, productId: other.product.id }] })
  await given.pmAssignment(pmGroup, await given.root('ConfigurationGroups'), { isTest: true })

  const { body } = await change('stop', made, patch, { reason: 'The vendor withdrew it.' })

  expect(body.items).toMatchObject([{ patchId: patch.id, state: 'Stopped', stoppedBy: expect.any(String) }])
  expect(await released(pilots, patch)).toEqual([])
  expect(await listOpenWork(pilots[0] ?? { id: 0 })).toEqual([])
  expect(await listOpenWork(pilots[1] ?? { id: 0 })).toHaveLength(1)
  await as('pm.approve').call(approvePatch, { params: { patchId: patch.id }, query: { productId: patch.product.id } })
  expect(await released([...pilots, ...rest], patch)).toEqual([])
  const today = daysAgo(0)
  expect((await rulings(rest[0] ?? { id: 0 })).get(patch.id)).toMatchObject({
    state: 'Stopped',
    message: `The patch policy ${made.name} does not release it: ${body.items[0]?.stoppedBy} stopped it on ${today}: The vendor withdrew it.`,
  })
  await change('resume', made, patch)
  expect(await released([...pilots, ...rest], patch)).toEqual(ids([...pilots, ...rest]))
})

test('a paused patch opens no ring, is paused and resumed once, and the patch of another policy goes on', async () => {
  const { pilots, rest, patch, policy: made } = await ringFleet()
  await tick()
  const paused = await change('pause', made, patch, { reason: 'The vendor reports a problem' })
  await install(pilots, patch)
  await tick()

  expect(paused.body.items[0]?.message).toBe(
    `${paused.body.items[0]?.pausedBy} paused it: The vendor reports a problem.`,
  )
  expect(await released(rest, patch)).toEqual([])
  expect((await change('pause', made, patch)).status).toBe(409)
  expect((await change('resume', made, patch)).status).toBe(200)
  expect((await change('resume', made, patch)).status).toBe(409)
  await tick()
  expect(await released(rest, patch)).toEqual(ids(rest))
  expect((await change('stop', made, patch)).status).toBe(200)
  expect((await change('stop', made, patch)).status).toBe(409)
  expect((await change('pause', made, patch)).status).toBe(409)
  expect((await change('pause', made, { id: 2_000_000_000 })).status).toBe(404)
  expect((await change('pause', { id: 2_000_000_000 }, patch)).status).toBe(404)
})

test('a patch is stopped for one of its product versions', async () => {
  const { group, computer } = await world.fleet()
  const products = [await given.product(), await given.product()]
  const patch = await given.patch({ products })
  const made = await policy([{ action: 'Approve' }], [group])
  await given.patchScan(
    computer,
    products.map(({ name }) => ({ key: patch.key, product: name, status: 'Missing' })),
  )

  const { body } = await approver.call(stopPatchOfPolicy, {
    params: { id: made.id, patchId: patch.id },
    query: { productId: products[0]?.id ?? 0 },
  })

  expect(body.items).toMatchObject([{ productId: products[0]?.id, state: 'Stopped' }])
  const { body: found } = await as('computer.read').call(listComputerPatchRulings, { params: { id: computer.id } })
  expect(found.items.map(({ state }) => state)).toEqual(['Stopped', 'Released'])
})

test('a policy without rings pauses and stops a patch, too', async () => {
  const { computers, patch, policy: made } = await ringFleet({ rings: () => [] })
  await tick()
  const counts = [(await released(computers, patch)).length]
  for (const kind of ['pause', 'resume', 'stop', 'resume'] as const) {
    await change(kind, made, patch)
    counts.push((await released(computers, patch)).length)
  }

  expect(counts).toEqual([5, 0, 5, 0, 5])
})

test('a person who approves a patch releases it to all rings at once, and then pauses it no more', async () => {
  const { computers, patch, policy: made } = await ringFleet()
  await tick()

  await as('pm.approve').call(approvePatch, { params: { patchId: patch.id }, query: { productId: patch.product.id } })

  expect(await released(computers, patch)).toEqual(ids(computers))
  expect((await rulings(computers[4] ?? { id: 0 })).get(patch.id)).toMatchObject({
    state: 'Released',
    isApprovedByPerson: true,
    message: expect.stringContaining('A person approved it'),
  })
  expect((await change('pause', made, patch)).status).toBe(409)
})

test('what a patch management group releases is released, whichever ring is open, paused or stopped', async () => {
  const { rest, group, patch, policy: made } = await ringFleet()
  const pmGroup = await given.pmGroup({ patches: [{ id: patch.id, productId: patch.product.id }] })
  await given.pmAssignment(pmGroup, group, { isTest: true })
  await tick()
  await change('stop', made, patch)

  expect(await released(rest, patch)).toEqual(ids(rest))
  expect((await rulings(rest[0] ?? { id: 0 })).get(patch.id)).toMatchObject({ state: 'ReleasedByGroup' })
})
