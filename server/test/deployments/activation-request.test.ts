import { expect, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { deploymentStateIn } from './deployment-state.ts'

const { as, db, given } = await openWorld()
const operator = as('activation.execute')
const state = deploymentStateIn(db, given)

const isPxeActive = async (params: { id: number }) =>
  (await as('computer.read').call(getComputer, { params })).body.isPxeActive

test('pxe creates work for the operating system and pre-OS packages, and the computer shows it', async () => {
  const { computer, group, params } = await state.member()
  const [image, system, early] = [
    await given.pxeBootImage(),
    await given.osImage(),
    await given.package({ is_pre_os: true }),
  ]
  await given.assignment(group, image, 'pxeBootImage')
  await given.assignment(group, system.skus[0] ?? { id: 0 }, 'osImageSku')
  await given.assignment(group, early, 'package')

  const { body } = await operator.call(activateComputer, { params, body: { pxe: true } })

  expect(body).toMatchObject({ pxe: true, software: false })
  const work = (await state.openWork(computer)).map(({ package_id, kind }) => [package_id, kind])
  expect(work.toSorted()).toEqual(
    [
      [system.id, 'OperatingSystem'],
      [early.id, 'Install'],
    ].toSorted(),
  )
  expect(await isPxeActive(params)).toBe(true)
})

test('pxe without an edition creates work for the boot image', async () => {
  const { computer, group, params } = await state.member(0)
  const image = await given.pxeBootImage()
  await given.assignment(group, image, 'pxeBootImage')

  await operator.call(activateComputer, { params, body: { pxe: true } })

  expect(await state.openWork(computer)).toMatchObject([{ package_id: image.packageId, kind: 'OperatingSystem' }])
})

test('software skips pre-OS packages', async () => {
  const { computer, group, params } = await state.member(0)
  await given.assignment(group, await given.package({ is_pre_os: true }), 'package')

  await operator.call(activateComputer, { params, body: { software: true } })

  expect(await state.openWork(computer)).toEqual([])
})

test('srl creates the final power action and wakes the computer now', async () => {
  const { computer, params } = await state.member(0)
  const body = { pull: true, srl: { action: 'Shutdown' as const } }

  const first = await operator.call(activateComputer, { params, body })
  const second = await operator.call(activateComputer, {
    params,
    body: { pull: true, srl: { action: 'Reboot', timeoutMinutes: 30, reminderMinutes: 0 } },
  })

  expect(first.body).toMatchObject({
    wolUtc: expect.any(String),
    srl: { action: 'Shutdown', timeoutMinutes: -1, reminderMinutes: 10 },
  })
  expect(second.body.trackingId).toBeNull()
  const power = (await state.openWork(computer)).filter(({ kind }) => kind === 'Power')
  expect(power).toMatchObject([{ power_action: 'Reboot', timeout_minutes: 30, reminder_minutes: 0 }])
  expect(await state.wakeRequests(computer)).toHaveLength(1)
})

test('wol requests one wake-up at its time, and the final power action waits for it', async () => {
  const { computer, params } = await state.member(0)
  const body = { pull: true, wol: '2099-03-14T09:26:53.000Z', wolNow: false, srl: { action: 'Reboot' as const } }

  const first = await operator.call(activateComputer, { params, body })
  await operator.call(activateComputer, { params, body })

  expect(first.body.wolUtc).toBe('2099-03-14T09:26:53.000Z')
  expect(await state.wakeRequests(computer)).toEqual([{ wake_at: new Date(body.wol), sent_at: null }])
  expect((await state.openWork(computer)).find(({ kind }) => kind === 'Power')).toMatchObject({
    not_before: new Date(body.wol),
  })
})

test('distribution options can request a wake-up for the time when their work may begin', async () => {
  const { computer, group, software, params } = await state.member()
  await state.options(group, software, ['Install'], { wol: true, schedule: 'FROM=2099-01-01T00:00:00Z' })

  const { body } = await operator.call(activateComputer, { params, body: { software: true } })

  expect(body.wolUtc).toBeNull()
  expect(await state.wakeRequests(computer)).toMatchObject([{ wake_at: new Date('2099-01-01T00:00:00Z') }])
})

test('wolNow wakes computers now, except those without a MAC address', async () => {
  const [computer, silent] = [await given.computer(), await given.computer({ mac: null, uuid: crypto.randomUUID() })]

  for (const { id } of [computer, silent])
    await operator.call(activateComputer, { params: { id }, body: { pull: true, wolNow: true } })

  expect(await state.wakeRequests(computer)).toHaveLength(1)
  expect(await state.wakeRequests(silent)).toEqual([])
})

const { params: known } = await state.member()
const srl = { action: 'Shutdown' }

test.each([
  { body: {}, name: 'software' },
  { body: { software: false, pxe: null }, name: 'software' },
  { body: { wolNow: true, srl }, name: 'software' },
  { body: { pull: true, wolNow: true, wol: '2099-01-01T00:00:00Z' }, name: 'wolNow' },
  { body: { pull: true, srl: {} }, name: 'srl.action' },
  { body: { pull: true, srl: { action: 'Explode' } }, name: 'srl.action' },
  { body: { pull: true, srl: { ...srl, timeoutMinutes: -2 } }, name: 'srl.timeoutMinutes' },
  { body: { pull: true, srl: { ...srl, reminderMinutes: -1 } }, name: 'srl.reminderMinutes' },
])('the request $body is refused because of $name', async ({ body, name }) => {
  const before = await fingerprints(db)

  const refused = await operator.call(activateComputer, { params: known, body: body as never })

  expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest', raw: { errors: [{ name }] } })
  expect(await fingerprints(db)).toEqual(before)
})

test('activation refuses an unknown computer, and pxe without a boot image', async () => {
  const lonely = await given.computer()
  const before = await fingerprints(db)

  const unknown = await operator.call(activateComputer, { params: { id: 2_000_000_000 }, body: { pull: true } })
  const bare = await operator.call(activateComputer, { params: known, body: { software: true, pxe: true } })
  const alone = await operator.call(activateComputer, { params: { id: lonely.id }, body: { pxe: true } })

  expect(unknown).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  expect(bare).toMatchObject({ status: 409, problem: 'NoPxeBootImageAssigned', raw: { clientId: known.id } })
  expect(alone).toMatchObject({ status: 409, problem: 'NoPxeBootImageAssigned' })
  expect(await fingerprints(db)).toEqual(before)
})
