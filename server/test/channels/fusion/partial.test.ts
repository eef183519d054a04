import { expect, test } from 'vitest'
import { activateComputer } from '../../../src/features/deployments/api/activation/activate-computer.ts'
import { getSystemInfo } from '../../../src/features/inventory/api/get-system-info.ts'
import { listDisks } from '../../../src/features/inventory/api/list-disks.ts'
import { listInstalledSoftware } from '../../../src/features/inventory/api/list-installed-software.ts'
import { rowVersions } from '../../inventory/inventory-world.ts'
import { agents, deviceIdOf, fromComputer, openFusionWorld, samples } from './fusion-world.ts'

const { as, computerOf, db, given, post } = await openFusionWorld()

const headers = agents.glpi
const say = (report: string, name: string) => post(fromComputer(report, name), { headers })

async function read(name: string) {
  const params = await computerOf(deviceIdOf(name))
  const reader = as('computer.read')
  return {
    software: (await reader.call(listInstalledSoftware, { params })).body.totalCount,
    disks: (await reader.call(listDisks, { params })).body.items,
    system: (await reader.call(getSystemInfo, { params })).body,
  }
}

test('an inventory with the changes only changes what is in it', async () => {
  await say(samples.full, 'whole')
  const before = await read('whole')

  const answer = await say(samples.partial.replace(/"free": \d+/, '"free": 1024'), 'whole')

  const after = await read('whole')
  expect(answer.status).toBe(200)
  expect(after).toEqual({ ...before, disks: [{ ...before.disks[0], freeSpaceGb: 1, usedPercent: expect.any(Number) }] })
})

test('the same inventory again writes no row, in XML as in JSON, whole as in part', async () => {
  await say(samples.full, 'same')
  await post(fromComputer(samples.fusionInventory, 'same-xml'))
  const before = await rowVersions(db)

  await say(samples.full.replaceAll('(redacted)', 'another process').replace(/"free": \d+/, '"free": 67260'), 'same')
  await say(samples.partial.replace(/"free": \d+/, '"free": 67260'), 'same')
  await post(fromComputer(samples.fusionInventory, 'same-xml').replaceAll('(redacted)', 'another process'))

  expect(await rowVersions(db)).toEqual(before)
})

test('changes to an inventory that was never sent are kept, and the agent is made to send all of it', async () => {
  const partial = await say(samples.partial, 'no-base')
  const contact = await say(samples.contact, 'no-base')
  const prolog = await say(samples.prolog, 'no-base')
  const full = await say(samples.glpiXml, 'no-base')
  const afterwards = await say(samples.contact, 'no-base')

  expect(partial.status).toBe(200)
  expect(contact.status).toBe(400)
  expect(prolog.text).toContain('<RESPONSE>SEND</RESPONSE>')
  expect(full.status).toBe(200)
  expect(afterwards.status).toBe(200)
  expect((await read('no-base')).software).toBe(803)
})

test('an inventory that got lost on its way is noticed, although the agent takes it for sent', async () => {
  await say(samples.prolog, 'lost')
  await say(samples.contact, 'lost')
  // The inventory that was asked for never arrives.
  const contact = await say(samples.contact, 'lost')
  const prolog = await say(samples.prolog, 'lost')
  await say(samples.glpiXml, 'lost')

  expect(contact.status).toBe(400)
  expect(prolog.text).toContain('<RESPONSE>SEND</RESPONSE>')
  expect((await say(samples.contact, 'lost')).status).toBe(200)
  expect(JSON.parse((await say(samples.prolog, 'lost')).text)).toEqual({ status: 'pending' })
})

test('an agent that sends no inventories is neither asked for one nor sent back for it', async () => {
  const without = samples.contact.replaceAll('"inventory",', '')
  await say(without, 'no-task')

  const contact = await say(without, 'no-task')

  expect(contact.status).toBe(200)
  expect(JSON.parse(contact.text).disabled).toContain('inventory')
})

test('an inventory that a person asks for is asked for at the next contact, and ends the work', async () => {
  await say(samples.full, 'pulled')
  const computer = await computerOf(deviceIdOf('pulled'))
  await given.member(await given.group(), computer)
  await as('activation.execute').call(activateComputer, {
    params: computer,
    body: { pull: true },
  })

  const contact = await say(samples.contact, 'pulled')
  await say(samples.partial, 'pulled')

  expect(JSON.parse(contact.text).disabled).not.toContain('inventory')
  const { state } = await db
    .selectFrom('work')
    .select('state')
    .where('computer_id', '=', computer.id)
    .where('kind', '=', 'Refresh')
    .executeTakeFirstOrThrow()
  expect(state).toBe('Success')
})
