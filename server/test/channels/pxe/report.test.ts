import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { diskScript } from '../../../src/channels/pxe/boot-script.ts'
import { reportInstallation } from '../../../src/channels/pxe/report-installation.ts'
import { readConfiguration } from '../../../src/platform/configuration.ts'
import { fingerprints } from '../../world/tables.ts'
import { openBootWorld, tokenIn } from './boot-world.ts'

const { database, db, firmware, given, installation } = await openBootWorld()

const deploymentsOf = (computer: { id: number }) =>
  db
    .selectFrom('deployments')
    .select(['package_id', 'status', 'installation_state', 'pending_since', 'current_mode', 'error_text'])
    .where('computer_id', '=', computer.id)
    .execute()
const eventsOf = (computer: { id: number }) =>
  db
    .selectFrom('distribution_events')
    .select(['package_id', 'result', 'classification', 'install_mode'])
    .where('computer_id', '=', computer.id)
    .execute()
const stateOf = ({ id }: { id: number }) =>
  db.selectFrom('work').select(['state', 'closed_at']).where('id', '=', id).executeTakeFirstOrThrow()

describe('reports of installers', () => {
  test('a reported success lets the computer boot from its disk and closes the work', async () => {
    const { computer, group, os, image, script, work } = await installation()
    const software = await given.package()
    await given.assignment(group, software, 'package')
    await db
      .insertInto('deployments')
      .values({ computer_id: computer.id, package_id: software.id, result: 'Success', installation_state: 'Installed' })
      .execute()
    const token = tokenIn(await script())

    const reported = await firmware.call(reportInstallation, { params: { token }, body: { status: 'Success' } })

    expect(reported.status).toBe(204)
    expect(await script()).toBe(diskScript)
    expect(await stateOf(work)).toEqual({ state: 'Success', closed_at: expect.any(Date) })
    expect(await deploymentsOf(computer)).toEqual(
      expect.arrayContaining([
        {
          package_id: os.id,
          status: 'Success',
          installation_state: 'Installed',
          pending_since: null,
          current_mode: 1,
          error_text: null,
        },
        expect.objectContaining({ package_id: software.id, status: 'Pending', installation_state: 'NotInstalled' }),
        expect.objectContaining({ package_id: image.packageId, status: 'Success', installation_state: 'None' }),
      ]),
    )
    expect(await eventsOf(computer)).toEqual([
      { package_id: os.id, result: 'Success', classification: 'Report', install_mode: 'OperatingSystem' },
    ])
    expect(await db.selectFrom('activations').selectAll().where('computer_id', '=', computer.id).execute()).toEqual([])
  })

  test('a language pack that was only on the system before does not stay because the installer lists it', async () => {
    const { computer, script } = await installation()
    const pack = await given.languagePack({ is_operational: true, hash_state: 'Current' })
    await db
      .insertInto('deployments')
      .values({ computer_id: computer.id, package_id: pack.id, result: 'Success', installation_state: 'Installed' })
      .execute()
    const token = tokenIn(await script())

    const body = { status: 'Success' as const, languagePacks: [pack.id] }
    expect((await firmware.call(reportInstallation, { params: { token }, body })).status).toBe(204)

    const installed = (await deploymentsOf(computer)).filter((one) => one.installation_state === 'Installed')
    expect(installed.map(({ package_id }) => package_id)).not.toContain(pack.id)
  })

  test('a reported failure also closes the work and keeps the reason', async () => {
    const { computer, os, script, work } = await installation()
    const token = tokenIn(await script())

    await firmware.call(reportInstallation, {
      params: { token },
      body: { status: 'Failed', message: 'The disk is too small.' },
    })

    expect(await script()).toBe(diskScript)
    expect(await stateOf(work)).toMatchObject({ state: 'Failed' })
    const found = (await deploymentsOf(computer)).find(({ package_id }) => package_id === os.id)
    expect(found).toMatchObject({ status: 'Failed', installation_state: 'None', error_text: 'The disk is too small.' })
    expect(await eventsOf(computer)).toMatchObject([{ result: 'Failed', classification: 'Report' }])
    const errors = db.selectFrom('setup_errors').select(['work_id', 'output']).where('computer_id', '=', computer.id)
    expect(await errors.execute()).toEqual([{ work_id: work.id, output: 'The disk is too small.' }])
  })

  test('a report keeps other activations of the computer and those of other computers', async () => {
    const [{ computer, script }, other] = [await installation(), await installation()]
    const assigned = await given.group({ tree: 'AssignmentGroups' })
    await given.member(assigned, computer)
    await db
      .insertInto('activations')
      .values({ computer_id: computer.id, group_id: assigned.id, pxe: true, software: true })
      .execute()

    await firmware.call(reportInstallation, { params: { token: tokenIn(await script()) }, body: { status: 'Success' } })

    const left = db.selectFrom('activations').select(['group_id', 'software', 'pxe'])
    expect(await left.where('computer_id', '=', computer.id).execute()).toEqual([
      { group_id: assigned.id, software: true, pxe: false },
    ])
    expect(await left.where('computer_id', '=', other.computer.id).execute()).toMatchObject([{ pxe: true }])
    expect(await other.script()).not.toBe(diskScript)
  })

  test('a repeated report changes nothing', async () => {
    const { script } = await installation()
    const token = tokenIn(await script())
    await firmware.call(reportInstallation, { params: { token }, body: { status: 'Success' } })
    const before = await fingerprints(db)

    const again = await firmware.call(reportInstallation, { params: { token }, body: { status: 'Failed' } })

    expect(again.status).toBe(204)
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each([
    [{ status: 'Maybe' }, 'status'],
    [{}, 'status'],
    [{ status: 'Success', message: 'x'.repeat(4_001) }, 'message'],
    [{ status: 'Success', colour: 'red' }, 'colour'],
  ])('an invalid report is refused without effect: %j', async (payload, name) => {
    const { script } = await installation()
    const token = tokenIn(await script())
    const before = await fingerprints(db)

    const refused = await firmware.send({ method: 'POST', url: `/boot/report/${token}`, payload })

    expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest', raw: { errors: [{ name }] } })
    expect(await fingerprints(db)).toEqual(before)
  })
})

test('requests of one address are limited per minute, except for files', async () => {
  const configuration = { ...readConfiguration({}), bootRateLimit: 2 }
  const { http } = await buildApp({ database, configuration })
  // Requests of other tests count as well, but come from another address.
  const send = (url: string) => http.inject({ url, remoteAddress: '192.0.2.1' })
  const ask = async (url: string) => (await send(url)).statusCode

  const answers = [await ask('/boot/ipxe/x'), await ask('/boot/ipxe/y'), await ask('/boot/ipxe/z')]

  expect(answers).toEqual([200, 200, 429])
  expect((await send('/boot/ipxe/z')).headers['retry-after']).toMatch(/^\d+$/)
  expect(await ask('/boot/files/x/boot/vmlinuz')).toBe(401)
  await http.close()
})

test('tokens do not appear in the log', async () => {
  const { script } = await installation()
  const token = tokenIn(await script())
  let log = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString()
      done()
    },
  })
  const { http } = await buildApp({ database, configuration: readConfiguration({}), logger: pino(stream) })

  for (const path of [
    `files/${token}/boot/vmlinuz`,
    `files/${token}`,
    `report/${token}`,
    `installation/${token}`,
    `odd/${token}`,
  ])
    await http.inject({ method: 'GET', url: `/boot/${path}` })
  await http.close()

  expect(log).toContain('/boot/files/[token]/boot/vmlinuz')
  expect(log).not.toContain(token)
})
