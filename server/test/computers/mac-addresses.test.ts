import { expect, test } from 'vitest'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { putInventory } from '../../src/channels/agent/inventory/put-inventory.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { ensureMasterServer } from '../../src/features/depots/master-server.ts'
import { listNetworkAdapters } from '../../src/features/inventory/api/list-network-adapters.ts'
import { getComputerHealth } from '../../src/features/issues/api/get-computer-health.ts'
import { enrolment, openAgentWorld } from '../channels/agent/agent-world.ts'

const { as, db, given, agent, enrolmentToken, withToken } = await openAgentWorld()
const reader = as('computer.read')

const macOf = async (id: number) => (await reader.call(getComputer, { params: { id } })).body.macAddress

test('the MAC address of an enrolment is shown in the one spelling', async () => {
  const { token } = await enrolmentToken()
  const { computer, ...others } = enrolment()

  const { body } = await withToken(undefined).call(enrolAgent, {
    body: { ...others, token, computer: { ...computer, uuid: null, macAddress: '02fc00000d01' } },
  })

  expect(await macOf(body.clientId)).toBe('02:FC:00:00:0D:01')
  const { body: health } = await reader.call(getComputerHealth, { params: { id: body.clientId } })
  expect(health.macAddress).toBe('02:FC:00:00:0D:01')
})

test('an enrolment adds the MAC address of a known computer in the one spelling', async () => {
  const uuid = crypto.randomUUID()
  const known = await given.computer({ mac: null, uuid })
  const { token } = await enrolmentToken()
  const { computer, ...others } = enrolment()

  await withToken(undefined).call(enrolAgent, {
    body: {
      ...others,
      token,
      computer: { ...computer, uuid, macAddress: '02-fc-00-00-0d-02' },
    },
  })

  expect(await macOf(known.id)).toBe('02:FC:00:00:0D:02')
})

test('an updated MAC address is shown in the one spelling', async () => {
  const { id } = await given.computer()

  const { body } = await as('computer.write').call(updateComputer, {
    params: { id },
    body: { macAddress: '1E-05-00-00-0d-03' },
  })

  expect(body.macAddress).toBe('1E:05:00:00:0D:03')
})

test('the MAC addresses of network adapters are shown in the one spelling, even if they are longer', async () => {
  const { itself, id } = await agent()
  const adapter = (macAddress: string) => ({
    ...{ serviceName: null, description: macAddress, ipAddress: null, subnetMask: null, defaultGateway: null },
    ...{ dnsServer: null, connectionType: null, isDhcp: false, macAddress },
  })
  const infiniBand = '80000208fe800000000000007cfe900300b0c1d2'

  const networkAdapters = {
    hash: 'a'.repeat(64),
    collectedUtc: new Date().toISOString(),
    items: [adapter('02-fc-00-00-0d-04'), adapter(infiniBand), adapter('unknown')],
  }
  await itself.call(putInventory, { body: { sections: { networkAdapters } } })

  const { body } = await reader.call(listNetworkAdapters, { params: { id } })
  expect(new Set(body.items.map(({ macAddress }) => macAddress))).toEqual(
    new Set(['02:FC:00:00:0D:04', '80:00:02:08:FE:80:00:00:00:00:00:00:7C:FE:90:03:00:B0:C1:D2', 'unknown']),
  )
})

test('the master server has its MAC address in the one spelling', async () => {
  await ensureMasterServer(db, {
    name: 'muster01',
    domain: 'x',
    macAddress: '02:fc:00:00:0d:05',
    uuid: crypto.randomUUID(),
  })

  const { body } = await reader.call(searchComputers, { body: { macAddress: '02fc.0000.0d05' } })

  expect(body.items).toMatchObject([{ hostname: 'muster01', macAddress: '02:FC:00:00:0D:05' }])
})
