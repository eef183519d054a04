import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { getUemAgent } from '../../../src/features/agents/api/get-uem-agent.ts'
import { getComputer } from '../../../src/features/computers/api/get-computer.ts'
import { listComputerGroups } from '../../../src/features/computers/api/list-computer-groups.ts'
import { listInstalledSoftware } from '../../../src/features/inventory/api/list-installed-software.ts'
import { setReadyToInstall } from '../../../src/features/packages/api/set-ready-to-install.ts'
import { agents, deviceIdOf, fromComputer, openFusionWorld, samples } from './fusion-world.ts'

const { as, app, computerOf, db, enrolmentToken, given, post, secret } = await openFusionWorld()

const softwareOf = async ({ id }: { id: number }) =>
  (await as('computer.read').call(listInstalledSoftware, { params: { id } })).body.totalCount

/** The messages that an agent in XML sends in one run. */
async function runXml(name: string, headers: Record<string, string> = agents.fusionInventory) {
  const prolog = await post(fromComputer(samples.prolog, name), { headers })
  const inventory = await post(fromComputer(samples.fusionInventory, name), { headers })
  return { prolog, inventory }
}

test('a FusionInventory agent with the secret in its address enrols its computer', async () => {
  const { prolog, inventory } = await runXml('fi-1')

  expect(prolog.status).toBe(200)
  expect(prolog.text).toMatch(/<REPLY><RESPONSE>SEND<\/RESPONSE><PROLOG_FREQ>[01]\.\d{5}<\/PROLOG_FREQ><\/REPLY>/)
  expect(inventory.status).toBe(200)
  expect(inventory.text).toContain('<RESPONSE>no_account_update</RESPONSE>')
  const computer = await computerOf(deviceIdOf('fi-1'))
  const read = await as('computer.read').call(getComputer, { params: computer })
  expect(read.body).toMatchObject({ hostname: 'fi-1', lastSeenUtc: expect.any(String) })
  expect(await softwareOf(computer)).toBe(803)
  const { body } = await as('computer.read').call(getUemAgent, { params: computer })
  expect(body.inventory).toMatchObject({ agentKind: 'FusionInventory', agentVersion: '2.6-3', platform: 'Linux' })
})

test('an agent is out of sync until a contact gives it its interval from a template that is Ready to Install', async () => {
  const group = await given.group()
  const { token } = await enrolmentToken({ groupId: group.id })
  const send = (sample: string) =>
    post(fromComputer(sample, 'synced'), { headers: agents.fusionInventory, secret: token })
  const template = await given.agentTemplate({ settings: { contactIntervalMinutes: 15 } })
  await given.assignment(group, template, 'agentTemplate')
  for (const sample of [samples.prolog, samples.fusionInventory]) await send(sample)
  const computer = await computerOf(deviceIdOf('synced'))
  const isOutOfSync = async () => (await as('computer.read').call(getUemAgent, { params: computer })).body.outOfSync
  const setReady = (operational: boolean) =>
    as('package.write').call(setReadyToInstall, { params: { id: template.id }, body: { operational } })
  const change = (settings: object) =>
    db
      .updateTable('packages')
      .set({ manifest: JSON.stringify({ settings }) })
      .where('id', '=', template.id)
      .execute()

  expect(await isOutOfSync()).toBe(true)
  // What is not released is not desired.
  await setReady(false)
  await send(samples.prolog)
  expect(await isOutOfSync()).toBe(false)
  await setReady(true)
  expect(await isOutOfSync()).toBe(true)
  await send(samples.prolog)
  expect(await isOutOfSync()).toBe(false)
  await setReady(false)
  await send(samples.prolog)
  expect(await isOutOfSync()).toBe(false)
  await setReady(true)

  await change({ contactIntervalMinutes: 30 })
  expect(await isOutOfSync()).toBe(true)
  await send(samples.prolog)
  expect(await isOutOfSync()).toBe(false)

  await change({ contactIntervalMinutes: 30, keepDownloadsDays: 3 })
  await send(samples.prolog)
  expect(await isOutOfSync()).toBe(true)
})

test('answers in XML begin with the bytes that agents expect and have the content type of the request', async () => {
  const fusion = await post(samples.prolog, { headers: agents.fusionInventory })
  const ocs = await post(samples.ocsProlog, { headers: agents.ocs })

  expect(fusion.raw.subarray(0, 2).toString('hex')).toBe('789c')
  expect(fusion.headers['content-type']).toBe('application/x-compress-zlib')
  expect(ocs.raw.subarray(0, 2).toString('hex')).toBe('789c')
  expect(ocs.headers['content-type']).toBe('application/x-compress')
})

test.each([
  ['gzip', (body: string | Buffer) => gzipSync(body)],
  ['nothing', (body: string | Buffer) => Buffer.from(body)],
])('a message that is packed with %s is read, whatever its content type is', async (_, pack) => {
  const answer = await post(fromComputer(samples.prolog, 'packed'), { headers: agents.fusionInventory, pack })

  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('<RESPONSE>SEND') })
})

test('an agent may send the secret as user name or password of the URL', async () => {
  for (const [user, password] of [
    ['muster', secret],
    [secret, ''],
  ]) {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/agent/fusion',
      headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
      payload: fromComputer(samples.prolog, 'basic'),
    })
    expect(answer.statusCode).toBe(200)
  }
})

test('messages without a valid secret are refused, and the answer asks for credentials', async () => {
  const revoked = await enrolmentToken()
  await as('admin.manage').send({ method: 'DELETE', url: `/api/enrolment-tokens/${revoked.id}` })

  const unknown = await post(samples.prolog, { secret: 'enrol-unknown' })
  const late = await post(samples.prolog, { secret: revoked.token })
  const none = await app.http.inject({ method: 'POST', url: '/agent/fusion', payload: samples.prolog })

  expect([unknown.status, late.status, none.statusCode]).toEqual([401, 401, 401])
  expect(none.headers['www-authenticate']).toBe('Basic realm="muster-agent"')
})

test('a used-up secret works for the agents that enrolled with it, and for no others', async () => {
  const { token } = await enrolmentToken({ maxUses: 1 })
  await post(fromComputer(samples.fusionInventory, 'first'), { secret: token })

  const again = await post(fromComputer(samples.prolog, 'first'), { secret: token })
  const other = await post(fromComputer(samples.prolog, 'second'), { secret: token })

  expect([again.status, other.status]).toEqual([200, 401])
})

test('a message with a secret that has ended, and that no known agent has, is not even read', async () => {
  const [{ token, id }, { token: own, id: ownId }] = [await enrolmentToken(), await enrolmentToken()]
  await post(fromComputer(samples.fusionInventory, 'before-expiry'), { secret: own })
  const expired = { expires_at: new Date(0) }
  await db.updateTable('enrolment_tokens').set(expired).where('id', 'in', [id, ownId]).execute()

  // A message that is read is answered with 400, because it is none.
  const unread = await post('no message', { secret: token })
  const read = await post('no message', { secret: own })
  const known = await post(fromComputer(samples.prolog, 'before-expiry'), { secret: own })

  expect([unread.status, read.status, known.status]).toEqual([401, 400, 200])
})

test('a computer joins the group of its enrolment token', async () => {
  const group = await given.group()
  const { token } = await enrolmentToken({ groupId: group.id })

  await post(fromComputer(samples.fusionInventory, 'grouped'), { secret: token })

  const { body } = await as('computer.read').call(listComputerGroups, {
    params: await computerOf(deviceIdOf('grouped')),
  })
  expect(JSON.stringify(body)).toContain(group.name)
})

test('a GLPI agent sends its first inventory in XML and continues in JSON', async () => {
  const send = (report: string) => post(fromComputer(report, 'glpi-1'), { headers: agents.glpi })

  const first = [await send(samples.prolog), await send(samples.glpiXml)]
  const prolog = await send(samples.prolog)
  const contact = await send(samples.contact)

  expect(first.map(({ text }) => /<RESPONSE>(\w+)/.exec(text)?.[1])).toEqual(['SEND', 'no_account_update'])
  expect(JSON.parse(prolog.text)).toEqual({ status: 'pending' })
  expect(JSON.parse(contact.text)).toMatchObject({ status: 'ok', disabled: expect.arrayContaining(['inventory']) })
  expect(await softwareOf(await computerOf(deviceIdOf('glpi-1')))).toBe(803)
})

test('a GLPI agent that begins in JSON sends its full inventory in JSON', async () => {
  const headers = agents.glpi
  const contact = await post(fromComputer(samples.contact, 'glpi-2'), {
    headers: { ...headers, 'glpi-request-id': 'EDD01A07' },
  })
  const inventory = await post(fromComputer(samples.full, 'glpi-2'), { headers })

  expect(contact.headers).toMatchObject({ 'content-type': 'application/json', 'glpi-request-id': 'EDD01A07' })
  expect(JSON.parse(contact.text)).toEqual({
    status: 'ok',
    expiration: expect.stringMatching(/^\d+s$/),
    tasks: { inventory: { server: 'glpi', version: '10.0.17' }, deploy: { server: 'glpi', version: '10.0.17' } },
    disabled: ['collect', 'deploy', 'esx', 'netdiscovery', 'netinventory', 'remoteinventory', 'wakeonlan'],
  })
  expect(JSON.parse(inventory.text)).toEqual({ status: 'ok' })
  expect(await softwareOf(await computerOf(deviceIdOf('glpi-2')))).toBe(803)
})

test('an agent that has just sent its inventory is not asked for it again', async () => {
  await runXml('fresh')
  await post(fromComputer(samples.full, 'fresh-glpi'), { headers: agents.glpi })

  const prolog = await post(fromComputer(samples.prolog, 'fresh'), { headers: agents.fusionInventory })
  const contact = await post(fromComputer(samples.contact, 'fresh-glpi'), { headers: agents.glpi })

  expect(prolog.text).toContain('<RESPONSE>OTHER</RESPONSE>')
  expect(JSON.parse(contact.text).disabled).toContain('inventory')
})

test('tasks that are not about computers are refused in the format of the agent', async () => {
  for (const action of ['netdiscovery', 'netinventory', 'get_params']) {
    const answer = await post(JSON.stringify({ action, deviceid: deviceIdOf('fi-1') }), { headers: agents.glpi })
    expect(answer.status).toBe(501)
    expect(JSON.parse(answer.text)).toMatchObject({ status: 'error', message: expect.any(String) })
  }
})
