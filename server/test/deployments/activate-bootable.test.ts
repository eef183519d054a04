import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { openWorld } from '../world/open-world.ts'
import { deploymentStateIn } from './deployment-state.ts'

const { as, db, given } = await openWorld()
const operator = as('activation.execute')
const state = deploymentStateIn(db, given)

const [readyImage, unreadyImage] = [await given.pxeBootImage(), await given.pxeBootImage({ is_operational: false })]
const [readySku = { id: 0 }] = (await given.osImage()).skus
const [unreadySku = { id: 0 }] = (await given.osImage({ hash_state: 'None' })).skus

const withoutMac = () => given.computer({ mac: null, uuid: randomUUID() })

/** A group below another, with these computers. */
async function subgroupOf(...computers: { id: number }[]) {
  const upper = await given.group()
  const lower = await given.group({ parent: upper })
  for (const computer of computers) await given.member(lower, computer)
  return { upper, lower }
}

async function activateForPxe(computer: { id: number }, group: { id: string }) {
  const body = { pxe: true }
  const ofComputer = await operator.call(activateComputer, { params: { id: computer.id }, body })
  const ofGroup = await operator.call(activateGroup, { params: { id: group.id }, body })
  expect([ofComputer.status, ofGroup.status]).toEqual([200, 200])
  return { missing: ofComputer.body.missing, group: ofGroup.body }
}

test.each([
  { what: 'nothing', image: readyImage, sku: readySku, mac: true, missing: [], counts: [0, 0] },
  { what: 'no edition', image: readyImage, sku: null, mac: true, missing: [], counts: [0, 0] },
  {
    what: 'the boot image',
    image: unreadyImage,
    sku: readySku,
    mac: true,
    missing: ['PxeBootImageReadyToInstall'],
    counts: [1, 0],
  },
  {
    what: 'the operating system',
    image: readyImage,
    sku: unreadySku,
    mac: true,
    missing: ['OsImageReadyToInstall'],
    counts: [1, 0],
  },
  { what: 'the MAC address', image: readyImage, sku: null, mac: false, missing: ['MacAddress'], counts: [0, 1] },
])('an activation with pxe that waits for $what says so', async ({ image, sku, mac, missing, counts }) => {
  const computer = mac ? await given.computer() : await withoutMac()
  const { upper, lower } = await subgroupOf(computer)
  await given.assignment(lower, image, 'pxeBootImage')
  if (sku) await given.assignment(upper, sku, 'osImageSku')

  const activated = await activateForPxe(computer, upper)

  expect(activated.missing).toEqual(missing)
  const [notReadyForPxe, withoutMacAddress] = counts
  expect(activated.group).toMatchObject({ withoutPxeBootImage: 0, notReadyForPxe, withoutMacAddress })
  expect(await state.activations(computer)).toMatchObject([{ pxe: true }])
})

test.each([
  { own: readyImage, above: unreadyImage, missing: [], notReadyForPxe: 0 },
  { own: unreadyImage, above: readyImage, missing: ['PxeBootImageReadyToInstall'], notReadyForPxe: 1 },
])(
  'the nearest boot image decides whether a computer can be installed: $missing',
  async ({ own, above, missing, notReadyForPxe }) => {
    const computer = await given.computer()
    const { upper, lower } = await subgroupOf(computer)
    await given.assignment(lower, own, 'pxeBootImage')
    await given.assignment(upper, above, 'pxeBootImage')

    expect(await activateForPxe(computer, upper)).toMatchObject({ missing, group: { notReadyForPxe } })
  },
)

test('an activation shows a time of Wake-on-LAN only if a packet will be sent', async () => {
  const [first, second] = [await given.computer(), await withoutMac()]
  const { lower, upper } = await subgroupOf(first, second)
  const empty = await given.group({ parent: upper })
  const [alone, unknown] = [await given.computer(), await withoutMac()]
  await given.member(empty, unknown)
  const body = { software: true, wolNow: true }
  const wake = async ({ id }: { id: number }) => (await operator.call(activateComputer, { params: { id }, body })).body
  const wakeGroup = async ({ id }: { id: string }) =>
    (await operator.call(activateGroup, { params: { id }, body })).body
  const time = expect.any(String)

  expect(await wake(first)).toMatchObject({ wolUtc: time, missing: [] })
  expect(await wake(second)).toMatchObject({ wolUtc: null, missing: ['MacAddress'] })
  expect(await wake(alone)).toMatchObject({ wolUtc: time, missing: [] })
  expect(await wakeGroup(lower)).toMatchObject({ wolUtc: time, withoutMacAddress: 1 })
  expect(await wakeGroup(empty)).toMatchObject({ wolUtc: null, withoutMacAddress: 1 })
  const queued = await db.selectFrom('wake_requests').select('computer_id').distinct().orderBy('computer_id').execute()
  expect(queued).toEqual([{ computer_id: first.id }, { computer_id: alone.id }])
})

test('a missing MAC address does not matter to activations that need none', async () => {
  const computer = await withoutMac()
  const { lower } = await subgroupOf(computer)
  const body = { software: true }

  const ofComputer = await operator.call(activateComputer, { params: { id: computer.id }, body })
  const ofGroup = await operator.call(activateGroup, { params: { id: lower.id }, body })

  expect(ofComputer.body.missing).toEqual([])
  expect(ofGroup.body.withoutMacAddress).toBe(0)
})
