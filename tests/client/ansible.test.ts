import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { repository } from '../../server/test/world/service-process.ts'
import { installDebianPackages } from '../../tools/debian-packages.ts'
import { openClientWorld } from './client-world.ts'

const { address, given } = await openClientWorld()
const script = join(repository, 'examples/ansible/muster_inventory.py')
const reader = await given.localPrincipal({ roles: ['computer.read', 'group.read'] })
const folder = await mkdtemp(join(tmpdir(), 'muster-ansible-'))
const secretFile = join(folder, 'secret')
await writeFile(secretFile, `${reader.secret}\n`)

const hasAnsible = () => spawnSync('ansible-inventory', ['--version']).status === 0
const whyNoAnsible = hasAnsible() ? undefined : installDebianPackages()

type Inventory = Record<string, { hosts: string[]; children: string[] }> & {
  _meta: { hostvars: Record<string, Record<string, unknown>> }
}

const environment = {
  ...{ PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
  ...{ ANSIBLE_LOCALHOST_WARNING: 'False', ANSIBLE_INVENTORY_UNPARSED_FAILED: 'True' },
  ...{ MUSTER_URL: address, MUSTER_CLIENT_ID: reader.clientId, MUSTER_CLIENT_SECRET_FILE: secretFile },
}

const run = (program: string, argv: readonly string[], more = {}) =>
  promisify(execFile)(program, argv, { env: { ...environment, ...more } })

async function readInventory(more = {}): Promise<Inventory> {
  return JSON.parse((await run('python3', [script, '--list'], more)).stdout)
}

beforeAll(async () => {
  const berlin = await given.group({ name: 'Berlin' })
  const desks = await given.group({ name: 'Desks (2nd floor)', parent: berlin })
  const tills = await given.group({ name: 'Tills', tree: 'AssignmentGroups' })
  const windows = { os_name: 'Windows 11', os_edition: 'Enterprise' }
  const one = await given.computer({ name: 'desk-1', ...windows, ip_address: '192.0.2.17' })
  const two = await given.computer({ name: 'desk-2', os_name: 'Debian GNU/Linux' })
  await given.computer({ name: 'twin', domain: 'a.example.org' })
  await given.computer({ name: 'twin', domain: 'b.example.org' })
  await given.member(desks, one)
  await given.member(berlin, two)
  await given.member(tills, one)
})

test('the inventory has the groups of both trees, and those of operating systems', async () => {
  const inventory = await readInventory()

  const [desks = ''] = Object.keys(inventory).filter((name) => name.endsWith('_berlin_desks_2nd_floor'))
  const [berlin = ''] = Object.keys(inventory).filter((name) => name.endsWith('_berlin'))
  const [tills = ''] = Object.keys(inventory).filter((name) => name.endsWith('_tills'))
  expect(inventory[berlin]).toEqual({ hosts: ['desk-2'], children: [desks] })
  expect([inventory[desks]?.hosts, inventory[tills]?.hosts]).toEqual([['desk-1'], ['desk-1']])
  expect(inventory.os_windows_11_enterprise?.hosts).toEqual(['desk-1'])
  expect(inventory.os_windows?.children).toEqual(['os_windows_11_enterprise'])
  expect(inventory.os_linux?.children).toEqual(['os_debian_gnu_linux'])
  expect(inventory.os_unknown?.hosts).toContain('twin.a.example.org')
})

test('computers of the same name have their domains, and each computer its variables', async () => {
  const { hostvars } = (await readInventory())._meta

  expect(Object.keys(hostvars)).toEqual(expect.arrayContaining(['twin.a.example.org', 'twin.b.example.org']))
  expect(hostvars['desk-1']).toMatchObject({
    muster_hostname: 'desk-1',
    muster_operating_system: 'Windows 11 Enterprise',
    muster_ip_address: '192.0.2.17',
    muster_connected_now: false,
  })
  expect(hostvars['desk-1']).not.toHaveProperty('ansible_host')
})

test('a filter selects computers, addresses may replace names, and --host shows the variables of one computer', async () => {
  const more = { MUSTER_INVENTORY_FILTER: 'operatingSystem=Windows 11 Enterprise', MUSTER_INVENTORY_ADDRESS: 'ip' }

  const filtered = await readInventory(more)
  const { stdout } = await run('python3', [script, '--host', 'desk-1'], more)

  expect(Object.keys(filtered._meta.hostvars)).toEqual(['desk-1'])
  expect(JSON.parse(stdout)).toMatchObject({ muster_hostname: 'desk-1', ansible_host: '192.0.2.17' })
})

test('what cannot be read is a failure, not an empty inventory', async () => {
  const other = await given.localPrincipal({ roles: ['computer.read'] })
  await writeFile(join(folder, 'other'), other.secret)

  const refused = run('python3', [script, '--list'], {
    MUSTER_CLIENT_ID: other.clientId,
    MUSTER_CLIENT_SECRET_FILE: join(folder, 'other'),
  })

  await expect(refused).rejects.toThrow('Forbidden')
})

test.skipIf(whyNoAnsible)(
  `Ansible reads the inventory, runs on a group of it, and evaluates nothing that an agent has reported${whyNoAnsible ? `: left out, ${whyNoAnsible}` : ''}`,
  { timeout: 60_000 },
  async () => {
    const marker = join(folder, 'evaluated')
    const template = `{{ lookup('pipe', 'touch ${marker}') }}`
    await given.computer({ name: 'hostile', manufacturer: template, os_name: 'Debian GNU/Linux' })
    await given.computer({ name: '-oProxyCommand=touch', os_name: 'Debian GNU/Linux' })

    const listed = await run('ansible-inventory', ['-i', script, '--list'])
    const shown = await run('ansible', [
      '-i',
      script,
      'os_linux',
      '-c',
      'local',
      '-m',
      'debug',
      '-a',
      'var=muster_manufacturer',
    ])

    const hosts = Object.keys((JSON.parse(listed.stdout) as Inventory)._meta.hostvars)
    expect(hosts).toEqual(expect.arrayContaining(['desk-1', 'desk-2', 'hostile']))
    expect(hosts.filter((name) => name.startsWith('-'))).toEqual([])
    expect(shown.stdout).toContain('desk-2 | SUCCESS')
    expect(shown.stdout).toContain("lookup('pipe'")
    expect(spawnSync('test', ['-e', marker]).status).toBe(1)
  },
)
