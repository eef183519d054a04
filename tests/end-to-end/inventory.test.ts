import { expect, test } from 'vitest'
import { roleNames } from '../../server/src/platform/roles.ts'
import { openAgentWorld } from '../../server/test/channels/agent/agent-world.ts'
import type { Json } from '../../server/test/world/start-muster.ts'
import { enrolAgent } from './agents.ts'

const { app, as, enrolmentToken } = await openAgentWorld()
const server = await app.http.listen({ host: '127.0.0.1', port: 0 })
const get = async <T = Json>(url: string) => (await as(...roleNames).send({ method: 'GET', url })).body as T

/** The sections that the agent sends, with the paths that return them. */
const lists = {
  disks: 'disks',
  networkAdapters: 'network-adapters',
  printers: 'printers',
  videoControllers: 'video-controllers',
  monitors: 'monitors',
  processors: 'processors',
  installedSoftware: 'installed-software',
  services: 'services',
}

test('every inventory operation returns what a real agent finds on this computer', async () => {
  const { token } = await enrolmentToken()
  const agent = await enrolAgent({ server, token, name: 'alpha' })
  const { single, lists: listed } = await agent.inventory()

  const end = await agent.runOnce()

  const of = `/api/computer/${agent.clientId}`
  expect(end).toEqual({ code: 0, signal: null })
  for (const [section, path] of Object.entries(lists)) {
    const { items } = await get<{ items: Json[] }>(`${of}/inventory/${path}?top=1000`)
    expect({ [section]: items.map(stable) }).toMatchObject({ [section]: (listed[section] ?? []).map(stable) })
  }
  expect(await get(`${of}/inventory/batteries`)).toMatchObject(listed.batteries ?? [])
  expect(await get(`${of}/inventory/bios`)).toMatchObject(single.bios ?? {})
  expect(await get(`${of}/inventory/computer-system`)).toMatchObject(single.computerSystem ?? {})
  // Answers show one spelling of the architecture for all sources, and the reported one beside it.
  const { architecture, ...system } = stable(single.system ?? {})
  expect(await get(`${of}/system-info`)).toMatchObject({ ...system, reportedArchitecture: architecture })
  expect(await get(`${of}/security-posture`)).toMatchObject(single.security ?? {})
  expect(((await get(`${of}/inventory`)).disks as Json[]).map(stable)).toMatchObject((listed.disks ?? []).map(stable))
}, 60_000)

/** Removes values that change from one moment to the next, and source packages, which the list of software does not show. */
function stable<T extends Json>(item: T): Json {
  const { freeSpaceGb: _free, usedPercent: _used, tempDirSizeMb: _temp, ...rest } = item
  const { sourceName: _source, sourceVersion: _version, language: _language, ...listed } = rest
  return listed
}
