import { expect, test } from 'vitest'
import { listDepotUrls } from '../../src/features/depots/depots-of-computer.ts'
import { openWorld } from '../world/open-world.ts'

const { db, given } = await openWorld()

let count = 0

async function givenDepot({ role = 'DepotServer', heartbeat = new Date(), hasUrl = true } = {}) {
  const { id } = await given.computer({ role })
  const url = `http://depot${++count}.example.org:5057`
  await db
    .insertInto('depots')
    .values({ computer_id: id, heartbeat_at: heartbeat, url: hasUrl ? url : null })
    .execute()
  return { id, url }
}

async function givenList(group: { id: string }, ...depots: { id: number }[]) {
  const rows = depots.map(({ id }, priority) => ({ group_id: group.id, priority, computer_id: id }))
  await db.insertInto('group_depot_servers').values(rows).execute()
}

test('a computer tries the depots of the nearest group that names some, in their order', async () => {
  const upper = await given.group()
  const middle = await given.group({ parent: upper })
  const lower = await given.group({ parent: middle })
  const computer = await given.computer()
  await given.member(lower, computer)
  const [far, first, second] = [await givenDepot(), await givenDepot(), await givenDepot()]
  await givenList(upper, far)
  await givenList(middle, second, first)

  expect(await listDepotUrls(db, computer.id)).toEqual([second.url, first.url])
})

test('at the same distance the configuration tree goes first', async () => {
  const [assigned, configured] = [await given.group({ tree: 'AssignmentGroups' }), await given.group()]
  const computer = await given.computer()
  await given.member(assigned, computer)
  await given.member(configured, computer)
  const [ofAssigned, ofConfigured] = [await givenDepot(), await givenDepot()]
  await givenList(assigned, ofAssigned)
  await givenList(configured, ofConfigured)

  expect(await listDepotUrls(db, computer.id)).toEqual([ofConfigured.url])
})

test('depots that are silent, without an address or no depots any more are left out, and so is the master server', async () => {
  const group = await given.group()
  const computer = await given.computer()
  await given.member(group, computer)
  const online = await givenDepot()
  await givenList(
    group,
    await givenDepot({ role: 'MasterServer' }),
    await givenDepot({ heartbeat: new Date(Date.now() - 301_000) }),
    await givenDepot({ hasUrl: false }),
    await givenDepot({ role: 'Client' }),
    online,
  )

  expect(await listDepotUrls(db, computer.id)).toEqual([online.url])
})

test('a computer in no group has no depots', async () => {
  expect(await listDepotUrls(db, (await given.computer()).id)).toEqual([])
})
