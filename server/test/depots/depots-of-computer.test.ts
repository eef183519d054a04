import { expect, test } from 'vitest'
import { reportHeartbeat } from '../../src/channels/depot/report-heartbeat.ts'
import { setGroupDepotServers } from '../../src/features/depots/api/set-group-depot-servers.ts'
import { listDepotUrls } from '../../src/features/depots/depots-of-computer.ts'
import { openDepotWorld } from './depot-world.ts'

const { as, backdateHeartbeat, db, demoteDepot, depot, given } = await openDepotWorld()

let count = 0

/** A depot that has sent a heartbeat, with its address unless `hasUrl` is false. */
async function givenOnlineDepot({ hasUrl = true } = {}) {
  const { id, itself } = await depot()
  const url = `http://depot${++count}.example.org:5057`
  const body = { version: '0.1.0', nextSyncUtc: new Date().toISOString(), ...(hasUrl && { url }) }
  expect((await itself.call(reportHeartbeat, { body })).status).toBe(200)
  return { id, url }
}

async function setFailoverList(group: { id: string }, ...depots: { id: number }[]) {
  const body = { depotServers: depots.map(({ id }) => id) }
  const { status } = await as('group.write').call(setGroupDepotServers, { params: { id: group.id }, body })
  expect(status).toBe(200)
}

test('a computer tries the depots of the nearest group that has a failover list, in the order of the list', async () => {
  const upper = await given.group()
  const middle = await given.group({ parent: upper })
  const lower = await given.group({ parent: middle })
  const computer = await given.computer()
  await given.member(lower, computer)
  const [distant, first, second] = [await givenOnlineDepot(), await givenOnlineDepot(), await givenOnlineDepot()]
  await setFailoverList(upper, distant)
  await setFailoverList(middle, second, first)

  expect(await listDepotUrls(db, computer.id)).toEqual({ beforeMaster: [second.url, first.url], afterMaster: [] })
})

test('at the same distance, the depots of the configuration group are used before those of the assignment group', async () => {
  const [assignmentGroup, configurationGroup] = [await given.group({ tree: 'AssignmentGroups' }), await given.group()]
  const computer = await given.computer()
  await given.member(assignmentGroup, computer)
  await given.member(configurationGroup, computer)
  const [other, configured] = [await givenOnlineDepot(), await givenOnlineDepot()]
  await setFailoverList(assignmentGroup, other)
  await setFailoverList(configurationGroup, configured)

  expect(await listDepotUrls(db, computer.id)).toEqual({ beforeMaster: [configured.url], afterMaster: [] })
})

test('a computer does not try offline depots, depots without an address or former depots', async () => {
  const group = await given.group()
  const computer = await given.computer()
  await given.member(group, computer)
  const [online, offline, former] = [await givenOnlineDepot(), await givenOnlineDepot(), await givenOnlineDepot()]
  await setFailoverList(group, offline, await givenOnlineDepot({ hasUrl: false }), former, online)
  await backdateHeartbeat(offline, 301)
  await demoteDepot(former)

  expect(await listDepotUrls(db, computer.id)).toEqual({ beforeMaster: [online.url], afterMaster: [] })
})

test('a computer that is in no group has no depots', async () => {
  expect(await listDepotUrls(db, (await given.computer()).id)).toEqual({ beforeMaster: [], afterMaster: [] })
})
