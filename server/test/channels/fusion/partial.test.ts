import { expect, test } from 'vitest'
import { activateComputer } from '../../../src/features/deployments/api/activation/activate-computer.ts'
import { getSystemInfo } from '../../../src/features/inventory/api/get-system-info.ts'
import { listDisks } from '../../../src/features/inventory/api/list-disks.ts'
import { listInstalledSoftware } from '../../../src/features/inventory/api/list-installed-software.ts'
import { rowVersions } from '../../inventory/inventory-world.ts'
import { agents, deviceIdOf, fromComputer, openFusionWorld, samples } from './fusion-world.ts'

const { as, computerOf, db, given, post } = await openFusionWorld()

const headers = agents.glpi
const send = (report: string, name: string) => post(fromComputer(report, name), { headers })

async function read(name: string) {
  const params = await computerOf(deviceIdOf(name))
  const reader = as('computer.read')
  return {
    software: (await reader.call(listInstalledSoftware, { params })).body.totalCount,
    disks: (await reader.call(listDisks, { params })).body.items,
    system: (await reader.call(getSystemInfo, { params })).body,
  }
}

test('a partial inventory changes only what it contains', async () => {
  await send(samples.full, 'whole')
  const before = await read('whole')

  const answer = await send(samples.partial.replace(/"free": \d+/, '"free": 1024'), 'whole')

  const after = await read('whole')
  expect(answer.status).toBe(200)
  expect(after).toEqual({ ...before, disks: [{ ...before.disks[0], freeSpaceGb: 1, usedPercent: expect.any(Number) }] })
})

test('an unchanged inventory writes no row, in XML and JSON, full and partial', async () => {
  await send(samples.full, 'same')
  await post(fromComputer(samples.fusionInventory, 'same-xml'))
  const before = await rowVersions(db)

  await send(samples.full.replaceAll('(redacted)', 'another process').replace(/"free": \d+/, '"free": 67260'), 'same')
  await send(samples.partial.replace(/"free": \d+/, '"free": 67260'), 'same')
  await post(fromComputer(samples.fusionInventory, 'same-xml').replaceAll('(redacted)', 'another process'))

  expect(await rowVersions(db)).toEqual(before)
})

test('a partial inventory without a full one is kept, and the agent must send a full one', async () => {
  const partial = await send(samples.partial, 'no-base')
  const contact = await send(samples.contact, 'no-base')
  const prolog = await send(samples.prolog, 'no-base')
  const full = await send(samples.glpiXml, 'no-base')
  const afterwards = await send(samples.contact, 'no-base')

  expect(partial.status).toBe(200)
  expect(contact.status).toBe(400)
  expect(prolog.text).toContain('<RESPONSE>SEND</RESPONSE>')
  expect(full.status).toBe(200)
  expect(afterwards.status).toBe(200)
  expect((await read('no-base')).software).toBe(803)
})

test('a lost inventory is noticed, although the agent assumes that it arrived', async () => {
  await send(samples.contact, 'lost')
  // The inventory that was asked for never arrives.
  const contact = await send(samples.contact, 'lost')
  const prolog = await send(samples.prolog, 'lost')
  await send(samples.glpiXml, 'lost')

  expect(contact.status).toBe(400)
  expect(prolog.text).toContain('<RESPONSE>SEND</RESPONSE>')
  expect((await send(samples.contact, 'lost')).status).toBe(200)
  expect(JSON.parse((await send(samples.prolog, 'lost')).text)).toEqual({ status: 'pending' })
})

test('an agent without the inventory task is not asked for an inventory', async () => {
  const without = samples.contact.replaceAll('"inventory",', '')
  await send(without, 'no-task')

  const contact = await send(without, 'no-task')

  expect(contact.status).toBe(200)
  expect(JSON.parse(contact.text).disabled).toContain('inventory')
})

test('an inventory that a user requests is asked for at the next contact, and closes the work', async () => {
  await send(samples.full, 'pulled')
  const computer = await computerOf(deviceIdOf('pulled'))
  await given.member(await given.group(), computer)
  await as('activation.execute').call(activateComputer, {
    params: computer,
    body: { pull: true },
  })

  const contact = await send(samples.contact, 'pulled')
  await send(samples.partial, 'pulled')

  expect(JSON.parse(contact.text).disabled).not.toContain('inventory')
  const { state } = await db
    .selectFrom('work')
    .select('state')
    .where('computer_id', '=', computer.id)
    .where('kind', '=', 'Refresh')
    .executeTakeFirstOrThrow()
  expect(state).toBe('Success')
})
