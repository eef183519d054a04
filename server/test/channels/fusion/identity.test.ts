import { expect, test } from 'vitest'
import { toIdentity } from '../../../src/channels/fusion/normalisation/identity.ts'
import {
  toMeaningfulMac,
  toMeaningfulSerial,
  toMeaningfulUuid,
} from '../../../src/channels/fusion/normalisation/placeholders.ts'
import { getUemAgent } from '../../../src/features/agents/api/get-uem-agent.ts'
import { getComputer } from '../../../src/features/computers/api/get-computer.ts'
import { confirmQuarantinedAgent } from '../../../src/features/enrolment/api/confirm-quarantined-agent.ts'
import { listQuarantinedAgents } from '../../../src/features/enrolment/api/list-quarantined-agents.ts'
import { agents, deviceIdOf, fromComputer, openFusionWorld, samples } from './fusion-world.ts'

const { agent, as, computerOf, db, given, post, readyPackage, work, app, secret } = await openFusionWorld()

const uuid = (digit: string) => `${digit.repeat(8)}-1111-2222-3333-${digit.repeat(11)}4`

/** The recorded inventory with a UUID and a serial number in the firmware. */
const withFirmware = (name: string, id: string, serial: string) =>
  fromComputer(samples.fusionInventory, name)
    .replace('<SSN></SSN>', `<SSN>${serial}</SSN>`)
    .replace('<VMSYSTEM>', `<UUID>${id}</UUID><VMSYSTEM>`)

const duplicateSeen = async (computer: { id: number }) =>
  (await as('computer.read').call(getUemAgent, { params: computer })).body.inventory?.duplicateIdentitySeenUtc

/** A person confirms the agents that claim the computer. Returns how the agents resemble it. */
async function confirm({ id }: { id: number }): Promise<string[]> {
  const { items } = (await as('admin.manage').call(listQuarantinedAgents)).body
  const claim = items.find(({ clientId }) => clientId === id) ?? expect.fail('No agent claims the computer.')
  await as('admin.manage').call(confirmQuarantinedAgent, { params: { id: claim.id } })
  return claim.matchedBy
}

test('an existing computer is found by its UUID, its serial number, its MAC address or its name', async () => {
  const byUuid = await given.computer({ uuid: uuid('a') })
  const byMac = await given.computer({ mac: '0a0b0c0d0e0f' })
  const byName = await given.computer({ name: 'by-name', domain: 'WORKGROUP' })
  const bySerial = await given.computer()
  await db.insertInto('bios_records').values({ computer_id: bySerial.id, serial_number: 'SERIAL-77' }).execute()

  const send = async () => [
    await post(withFirmware('one', uuid('a'), 'SERIAL-1')),
    await post(fromComputer(samples.fusionInventory, 'two', '0a:0b:0c:0d:0e:0f')),
    await post(fromComputer(samples.fusionInventory, 'by-name')),
    await post(withFirmware('four', uuid('b'), 'SERIAL-77')),
  ]

  const first = await send()
  const stored = await db.selectFrom('inventory_sections').select('computer_id').distinct().execute()
  const matches = [await confirm(byMac), await confirm(byName), await confirm(bySerial)]
  const second = await send()

  expect(first.map(({ status }) => status)).toEqual([200, 403, 403, 403])
  expect(stored).toEqual([{ computer_id: byUuid.id }])
  expect(matches).toEqual([['MacAddress'], ['Name'], ['SerialNumber']])
  expect(second.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await computerOf(deviceIdOf('one'))).toEqual({ id: byUuid.id })
  expect(await computerOf(deviceIdOf('two'))).toEqual({ id: byMac.id })
  expect(await computerOf(deviceIdOf('by-name'))).toEqual({ id: byName.id })
  expect(await computerOf(deviceIdOf('four'))).toEqual({ id: bySerial.id })
})

test('a computer with another agent is not taken over until a person confirms the new one', async () => {
  const own = await agent()
  await db.updateTable('computers').set({ mac_address: '0a1b2c3d4e5f' }).where('id', '=', own.id).execute()
  const report = fromComputer(samples.fusionInventory, 'taken', '0a:1b:2c:3d:4e:5f')

  const refused = await post(report)
  const before = await own.contact()
  await confirm(own)
  const allowed = await post(report)
  const { status } = await own.contact()

  expect([refused.status, before.status, allowed.status, status]).toEqual([403, 200, 200, 401])
  expect(await computerOf(deviceIdOf('taken'))).toEqual({ id: own.id })
})

test('a GLPI agent whose inventory was refused sends a full one in the first run after it is confirmed', async () => {
  await post(fromComputer(samples.fusionInventory, 'replaced'))
  const computer = await computerOf(deviceIdOf('replaced'))
  const send = (report: string) => {
    const ofNewAgent = fromComputer(report, 'replaced').replaceAll(deviceIdOf('replaced'), 'new-glpi-agent')
    return post(ofNewAgent, { headers: agents.glpi })
  }
  const run = async () => [await send(samples.prolog), await send(samples.glpiXml)] as const

  const [, refused] = await run()
  await confirm(computer)
  const [prolog, inventory] = await run()

  expect([refused.status, inventory.status]).toEqual([403, 200])
  expect(prolog.text).toContain('<RESPONSE>SEND</RESPONSE>')
  expect(await computerOf('new-glpi-agent')).toEqual(computer)
})

test('computers with copies of one agent are distinguished, shown as duplicates, and get no work', async () => {
  const [original, copy] = [
    withFirmware('original', uuid('c'), 'SERIAL-C'),
    withFirmware('copy', uuid('d'), 'SERIAL-D'),
  ]
  const asOriginal = (report: string) => report.replaceAll(deviceIdOf('copy'), deviceIdOf('original'))
  await post(original)
  const first = await computerOf(deviceIdOf('original'))

  await post(asOriginal(copy))

  const second = await computerOf(deviceIdOf('original'))
  await post(original)
  await work(first, await readyPackage())
  const answer = await app.http.inject({
    url: `/agent/fusion/${secret}?action=getConfig&machineid=${deviceIdOf('original')}&task[Deploy]=2.8`,
  })
  expect(second).not.toEqual(first)
  expect(await computerOf(deviceIdOf('original'))).toEqual(first)
  expect([await duplicateSeen(first), await duplicateSeen(second)]).toEqual([expect.any(String), expect.any(String)])
  expect(answer.json()).toEqual({ configValidityPeriod: 600, schedule: [] })
})

test('a copy with the name of the original is refused, and the original is shown as a duplicate', async () => {
  await post(withFirmware('twin', uuid('e'), 'SERIAL-E'))
  const other = withFirmware('twin', uuid('f').replace('ffffffff', 'feffffff'), 'SERIAL-F')

  const refused = await post(other.replaceAll('06:', '0e:'))

  expect(refused.status).toBe(409)
  expect(await duplicateSeen(await computerOf(deviceIdOf('twin')))).toEqual(expect.any(String))
})

test('a computer with a new mainboard stays the same while it keeps a network adapter', async () => {
  await post(withFirmware('repaired', uuid('1').replace('11111111', '10000001'), 'SERIAL-OLD'))
  const before = await computerOf(deviceIdOf('repaired'))

  const answer = await post(withFirmware('repaired', uuid('2'), 'SERIAL-NEW'))

  expect(answer.status).toBe(200)
  expect(await computerOf(deviceIdOf('repaired'))).toEqual(before)
})

test.each([
  ['00000000-0000-0000-0000-000000000000', 'To Be Filled By O.E.M.', '00:00:00:00:00:00'],
  ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', 'System Serial Number', 'ff:ff:ff:ff:ff:ff'],
  ['03000200-0400-0500-0006-000700080009', 'Default string', '02:42:ac:11:00:02'],
  ['not a uuid', '0000000', '44:45:53:54:00:00'],
  ['', 'Not Specified', '01:00:5e:00:00:01'],
  ['12345678-1234-5678-90ab-cddeefaabbcc', '123456789', '50:50:54:50:30:30'],
  [' ', 'XXXXXXXXXX', '02:00:4c:4f:4f:50'],
  ['0', '1111111', '00:00:00:00:00:00'],
])('placeholder values are ignored: %s, %s, %s', (id, serial, mac) => {
  expect([toMeaningfulUuid(id), toMeaningfulSerial(serial), toMeaningfulMac(mac)]).toEqual([null, null, null])
})

test('an inventory that does not identify its computer is refused', async () => {
  const anonymous = fromComputer(samples.fusionInventory, 'nobody', '00:00:00:00:00:00')

  const answer = await post(anonymous)

  expect(answer.status).toBe(422)
  expect(await computerOf(deviceIdOf('nobody'))).toEqual({ id: null })
})

test('the computer has the MAC address of the adapter with a gateway', () => {
  const content = {
    hardware: { name: 'pc.corp.example.org' },
    networks: [
      { description: 'docker0', mac: '02:42:00:00:00:01', virtualdev: true, status: 'up', ipaddress: '172.17.0.1' },
      { description: 'eth1', mac: '0A:00:00:00:00:02', status: 'down' },
      { description: 'eth0', mac: '0a:00:00:00:00:01', status: 'up', ipaddress: '10.0.0.2', ipgateway: '10.0.0.1' },
    ],
  }

  expect(toIdentity(content)).toMatchObject({
    name: 'pc',
    domain: 'corp.example.org',
    isDomain: true,
    macAddress: '0A:00:00:00:00:01',
  })
})

test('a computer whose only adapters are virtual has the MAC address of one that it does not share with others', async () => {
  const adapter = (mac: string, address: string, more: object = {}) => ({
    ...{ description: `nic ${mac}`, mac, virtualdev: true, status: 'up', ipaddress: address },
    ...more,
  })
  const hostOnly = [adapter('00:50:56:c0:00:08', '192.168.56.1'), adapter('0a:00:27:00:00:0b', '192.168.57.1')]
  const macOf = (...networks: object[]) => toIdentity({ hardware: { name: 'vm' }, networks }).macAddress

  expect(macOf(...hostOnly)).toBeNull()
  expect(macOf(...hostOnly, adapter('52:54:00:12:34:56', '192.0.2.7'))).toBe('52:54:00:12:34:56')
  const physical = { description: 'eth0', mac: '0a:00:00:00:00:01', status: 'down' }
  expect(macOf(adapter('52:54:00:12:34:56', '192.0.2.7'), physical)).toBe('0A:00:00:00:00:01')

  const virtual = fromComputer(samples.fusionInventory, 'virtual-only', '52:54:00:12:34:57')
    .replaceAll('<VIRTUALDEV>0</VIRTUALDEV>', '<VIRTUALDEV>1</VIRTUALDEV>')
    .replaceAll(/<IPGATEWAY>[^<]*<\/IPGATEWAY>/g, '')
  expect((await post(virtual)).status).toBe(200)
  const { id } = await computerOf(deviceIdOf('virtual-only'))
  const { body } = await as('computer.read').call(getComputer, { params: { id: id ?? 0 } })
  expect(body.macAddress).toBe('52:54:00:12:34:57')
})
