import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getSecurityPosture } from '../../../src/features/inventory/api/get-security-posture.ts'
import { getSystemInfo } from '../../../src/features/inventory/api/get-system-info.ts'
import { listNetworkAdapters } from '../../../src/features/inventory/api/list-network-adapters.ts'
import { listProcessors } from '../../../src/features/inventory/api/list-processors.ts'
import { agents, deviceIdOf, openFusionWorld } from './fusion-world.ts'

const { as, post, computerOf } = await openFusionWorld()
const reader = as('computer.read')

type Fields = Record<string, string | number>
const element = (name: string, fields: Fields) =>
  `<${name}>${Object.entries(fields).map(([key, value]) => `<${key}>${value}</${key}>`)}</${name}>`.replaceAll(
    ',<',
    '<',
  )

/** Sends an inventory with these elements and returns the computer. */
async function sendInventory(name: string, elements: [string, Fields][], headers: Record<string, string>) {
  const identity = { NAME: name, UUID: randomUUID() }
  const content = elements
    .map(([section, fields]) => element(section, section === 'HARDWARE' ? { ...identity, ...fields } : fields))
    .join('')
  const { status, text } = await post(
    `<?xml version="1.0" encoding="UTF-8"?><REQUEST><CONTENT>${content}</CONTENT><DEVICEID>${deviceIdOf(name)}</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`,
    { headers },
  )
  if (status !== 200) throw new Error(text)
  return computerOf(deviceIdOf(name))
}

test('the processors of an OCS agent have their name, cores, threads and architecture', async () => {
  const type = 'Contoso Core 7 @ 2.80GHz'
  const computer = await sendInventory(
    'ocs-cpu',
    [
      ['HARDWARE', { OSNAME: 'Debian GNU/Linux 12', PROCESSORN: 1, PROCESSORS: 2800, PROCESSORT: type }],
      [
        'CPUS',
        { CORES: 4, CPUARCH: 'x86_64', LOGICAL_CPUS: 8, THREADS: 8, TYPE: type, SPEED: 2800, CURRENT_SPEED: 3100 },
      ],
    ],
    agents.ocs,
  )

  const { body: processors } = await reader.call(listProcessors, { params: computer })
  const { body: system } = await reader.call(getSystemInfo, { params: computer })

  expect(processors.items).toMatchObject([
    {
      ...{ name: type, numberOfCores: 4, numberOfLogicalProcessors: 8 },
      ...{ maxClockSpeedMhz: 2800, currentClockSpeedMhz: 3100 },
    },
  ])
  expect(system).toMatchObject({
    processorName: type,
    architecture: 'x64',
    reportedArchitecture: 'x86_64',
    bitVersion: 64,
  })
})

test('an OCS agent that describes its processor only within the hardware has it in the system information', async () => {
  const computer = await sendInventory(
    'ocs-aix',
    [['HARDWARE', { OSNAME: 'AIX', PROCESSORN: 2, PROCESSORS: 3000, PROCESSORT: 'PowerPC_POWER9' }]],
    agents.ocs,
  )

  const { body } = await reader.call(getSystemInfo, { params: computer })

  expect(body).toMatchObject({ processorName: 'PowerPC_POWER9', processorCount: 2, processorMhz: 3000 })
})

test('an adapter of an OCS agent has the masks of the addresses that it shows', async () => {
  const mac = '02:FC:00:00:0A:01'
  const [v6, link] = ['ffff:ffff:ffff:ffff::', 'fe80::1']
  const computer = await sendInventory(
    'ocs-net',
    [
      ['HARDWARE', { OSNAME: 'Debian GNU/Linux 12' }],
      ['NETWORKS', { DESCRIPTION: 'eth0', MACADDR: mac, IPADDRESS: '192.0.2.7', IPMASK: '255.255.255.0' }],
      ['NETWORKS', { DESCRIPTION: 'eth0', MACADDR: mac, IPADDRESS: '2001:db8::7', IPMASK: v6 }],
      ['NETWORKS', { DESCRIPTION: 'eth1', MACADDR: '02:FC:00:00:0A:02', IPADDRESS: '2001:db8::8', IPMASK: v6 }],
      ['NETWORKS', { DESCRIPTION: 'eth2', MACADDR: '02:FC:00:00:0A:03', IPADDRESS: link, IPMASK: v6 }],
    ],
    agents.ocs,
  )

  const { body } = await reader.call(listNetworkAdapters, { params: computer })

  expect(body.items).toMatchObject([
    { description: 'eth0', ipAddress: '192.0.2.7', subnetMask: '255.255.255.0' },
    { description: 'eth1', ipAddress: '2001:db8::8', subnetMask: v6 },
    { description: 'eth2', ipAddress: null, subnetMask: null },
  ])
})

test('a Mac whose old agent calls all adapters virtual still has its physical ones', async () => {
  const adapter = (name: string, last: string): [string, Fields] => [
    'NETWORKS',
    { DESCRIPTION: name, MACADDR: `02:fc:00:00:0b:${last}`, VIRTUALDEV: 1, STATUS: 'Up', IPADDRESS: `192.0.2.${last}` },
  ]
  const computer = await sendInventory(
    'old-mac',
    [
      ['HARDWARE', {}],
      ['OPERATINGSYSTEM', { KERNEL_NAME: 'darwin', FULL_NAME: 'Mac OS X 10.9' }],
      ...[adapter('en0', '10'), adapter('en1', '11'), adapter('bridge0', '12'), adapter('utun0', '13')],
    ],
    agents.fusionInventory,
  )

  const { body } = await reader.call(listNetworkAdapters, { params: computer })

  expect(body.items.map(({ description }) => description)).toEqual(['en0', 'en1'])
})

test('of two antivirus products, the active one counts', async () => {
  const computer = await sendInventory(
    'two-products',
    [
      ['HARDWARE', {}],
      ['ANTIVIRUS', { NAME: 'Old product', ENABLED: 0, UPTODATE: 1 }],
      ['ANTIVIRUS', { NAME: 'Contoso Defender', ENABLED: 1, UPTODATE: 0 }],
    ],
    agents.fusionInventory,
  )

  const { body } = await reader.call(getSecurityPosture, { params: computer })

  expect(body.antivirus).toMatchObject({ name: 'Contoso Defender', isEnabled: true, isUpToDate: false })
})
