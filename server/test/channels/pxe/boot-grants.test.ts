import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { enrolAgent } from '../../../src/channels/agent/enrol-agent.ts'
import { diskScript } from '../../../src/channels/pxe/boot-script.ts'
import { assignGroupOsImageSku } from '../../../src/features/assignments/api/groups/assign-group-os-image-sku.ts'
import { getComputer } from '../../../src/features/computers/api/get-computer.ts'
import { activateComputer } from '../../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../../src/features/deployments/api/activation/deactivate-computer.ts'
import { createEnrolmentToken } from '../../../src/features/enrolment/api/create-enrolment-token.ts'
import { moveGroup } from '../../../src/features/group-moves/api/move-group.ts'
import { removeGroupComputers } from '../../../src/features/groups/api/remove-group-computers.ts'
import { confirmOsInstallation } from '../../../src/features/os-deployment/api/confirm-os-installation.ts'
import { getOsInstallation } from '../../../src/features/os-deployment/api/get-os-installation.ts'
import type { Configuration } from '../../../src/platform/configuration.ts'
import { enrolment } from '../agent/agent-world.ts'
import { openBootWorld, tokenIn } from './boot-world.ts'

const { app, as, database, db, given, installation, withToken } = await openBootWorld()

type Http = typeof app.http
type Pending = Awaited<ReturnType<typeof installation>>

/** A client with an address of its own. */
function client(address: string, http: Http = app.http) {
  const get = (url: string) => http.inject({ url, remoteAddress: address })
  return {
    script: async ({ mac }: Pending) => (await get(`/boot/ipxe/${mac}`)).body,
    document: async (token: string) => (await get(`/boot/installation/${token}`)).statusCode,
    file: async (token: string) => (await get(`/boot/files/${token}/boot/vmlinuz`)).statusCode,
    report: async (token: string, payload: object = { status: 'Success' }) =>
      (await http.inject({ method: 'POST', url: `/boot/report/${token}`, payload, remoteAddress: address })).statusCode,
  }
}

const [attacker, computer] = [client('198.51.100.66'), client('192.0.2.17')]

const workOf = async ({ work }: Pending) =>
  (await db.selectFrom('work').select('state').where('id', '=', work.id).executeTakeFirstOrThrow()).state
const isPxeActive = async (pending: Pending) =>
  (await as('computer.read').call(getComputer, { params: { id: pending.computer.id } })).body.isPxeActive
const stateOf = async (pending: Pending) =>
  (await as('computer.read').call(getOsInstallation, { params: { id: pending.computer.id } })).body

/** The agent of the computer enrols. Each agent keeps its key, with which it may repeat the call. */
async function enrolOn(pending: Pending, enrolmentKey = 'k'.repeat(40)): Promise<void> {
  const { body } = await as('computer.write', 'admin.manage').call(createEnrolmentToken, {
    body: { expiresAtUtc: '2099-01-01T00:00:00Z' },
  })
  const request = enrolment()
  // What proves that the agent runs on this computer.
  await sql`update computers set uuid = ${request.computer.uuid} where id = ${pending.computer.id} and uuid is null`.execute(
    db,
  )
  const { uuid } = await db
    .selectFrom('computers')
    .select('uuid')
    .where('id', '=', pending.computer.id)
    .executeTakeFirstOrThrow()
  const enrolled = await withToken(undefined).call(enrolAgent, {
    body: { ...request, enrolmentKey, token: body.token, computer: { ...request.computer, macAddress: null, uuid } },
  })
  expect(enrolled.body).toMatchObject({ clientId: pending.computer.id })
}

describe('somebody who knows the MAC address of a computer', () => {
  test('cannot store a row for each address of a network, nor keep the computer from its installation', async () => {
    const pending = await installation()
    const ask = (address: string) => client(address).script(pending)
    const insertGrants = async (addresses: string[]) => {
      const grant = { computer_id: pending.computer.id, work_id: pending.work.id }
      await db
        .insertInto('boot_grants')
        .values(addresses.map((address) => ({ ...grant, address })))
        .execute()
    }
    await insertGrants(Array.from({ length: 15 }, (_, host) => `2001:db8::${host}`))
    for (const host of ['a', 'b', 'c', 'a']) await ask(`2001:db8::${host}`)
    await insertGrants(Array.from({ length: 82 }, (_, network) => `2001:db8:1:${network}::1`))
    for (const network of [1, 2, 3]) await ask(`2001:db8:2:${network}::1`)

    const script = await computer.script(pending)

    const addresses = (await stateOf(pending)).bootRequests.map(({ address }) => address)
    expect(addresses.filter((address) => address.startsWith('2001:db8::'))).toHaveLength(16)
    // Fifteen, one more of their network, the others of it, 82, and one of the last three.
    expect(addresses).toHaveLength(100)
    expect(addresses).toContain('other addresses')
    expect(await computer.document(tokenIn(script))).toBe(200)
  })

  test('cannot end its installation once the computer has asked, too', async () => {
    const pending = await installation()
    const forged = tokenIn(await attacker.script(pending))
    const own = tokenIn(await computer.script(pending))

    expect(await attacker.report(forged)).toBe(204)

    expect([await workOf(pending), await isPxeActive(pending)]).toEqual(['Due', true])
    expect(await attacker.script(pending)).toBe(diskScript)
    expect(await computer.script(pending)).toMatch(/^kernel /m)
    expect(await computer.document(own)).toBe(200)
  })

  test('cannot end the installation of a computer with an agent, even before the computer asks', async () => {
    const pending = await installation()
    await enrolOn(pending)

    for (const [status, address] of [
      ['Success', '198.51.100.66'],
      ['Failed', '198.51.100.67'],
    ] as const)
      await client(address).report(tokenIn(await client(address).script(pending)), { status })

    expect([await workOf(pending), await isPxeActive(pending)]).toEqual(['Due', true])
    const own = tokenIn(await computer.script(pending))
    expect(await computer.report(own)).toBe(204)
    expect(await computer.script(pending)).toBe(diskScript)
    expect(await workOf(pending)).toBe('Due')
    await enrolOn(pending)
    expect([await workOf(pending), await isPxeActive(pending)]).toEqual(['Success', false])
  })

  test('cannot end any installation if all of them have to be confirmed', async () => {
    const configuration = { ...app.services.configuration, bootConfirmation: 'always' } as const
    const { http } = await buildApp({ database, configuration })
    const pending = await installation()

    const forged = client('198.51.100.66', http)
    expect(await forged.report(tokenIn(await forged.script(pending)))).toBe(204)

    expect([await workOf(pending), await isPxeActive(pending)]).toEqual(['Due', true])
    await enrolOn(pending, 'n'.repeat(40))
    expect(await workOf(pending)).toBe('Success')
    await http.close()
  })

  test('can neither read the document nor end the installation with the token of the computer', async () => {
    const pending = await installation()
    const own = tokenIn(await computer.script(pending))

    expect(await attacker.document(own)).toBe(403)
    expect(await attacker.report(own, { status: 'Failed' })).toBe(204)
    expect([await workOf(pending), await isPxeActive(pending)]).toEqual(['Due', true])
    expect(await computer.report(own)).toBe(204)
    expect([await workOf(pending), await isPxeActive(pending)]).toEqual(['Success', false])
  })

  test('cannot make a failure of an installation whose agent has enrolled', async () => {
    const pending = await installation()
    const forged = tokenIn(await attacker.script(pending))
    const own = tokenIn(await computer.script(pending))
    await enrolOn(pending)

    await attacker.report(forged, { status: 'Failed' })
    expect(await workOf(pending)).toBe('Due')
    await computer.report(own)

    expect(await workOf(pending)).toBe('Success')
  })
})

describe('a token belongs to one installation', () => {
  const pxe = async (pending: Pending, isActive: boolean) => {
    const params = { id: pending.computer.id }
    const changed = isActive
      ? await as('activation.execute').call(activateComputer, { params, body: { pxe: true } })
      : await as('activation.execute').call(deactivateComputer, { params, query: { pxe: true } })
    expect(changed.status).toBeLessThan(300)
  }

  test.each([false, true])('and is of no use in the next one (activated for software, too: %j)', async (software) => {
    const pending = await installation()
    await db.updateTable('activations').set({ software }).where('computer_id', '=', pending.computer.id).execute()
    const old = tokenIn(await computer.script(pending))
    await pxe(pending, false)
    await pxe(pending, true)

    expect(await computer.report(old)).toBe(204)
    expect(await computer.document(old)).toBe(404)
    expect(await computer.file(old)).toBe(401)

    expect(await isPxeActive(pending)).toBe(true)
    expect(await computer.script(pending)).toMatch(/^kernel /m)
  })

  test('and is still valid if the computer is activated again during the installation', async () => {
    const pending = await installation()
    const token = tokenIn(await computer.script(pending))
    await pxe(pending, true)

    expect(await computer.file(token)).toBe(200)
    await computer.report(token)

    expect(await isPxeActive(pending)).toBe(false)
  })

  test.each(['first', 'second'])('and outlives the %s of two groups for which it was activated', async (left) => {
    const pending = await installation()
    const other = await given.group({ tree: 'AssignmentGroups' })
    await given.member(other, pending.computer)
    await given.assignment(other, pending.image, 'pxeBootImage')
    await given.assignment(other, pending.os.skus[0] ?? { id: 0 }, 'osImageSku')
    await pxe(pending, false)
    await pxe(pending, true)
    await attacker.script(pending)
    const token = tokenIn(await computer.script(pending))
    const query = { computerIds: [pending.computer.id] }
    const leave = ({ id }: { id: string }) => as('group.write').call(removeGroupComputers, { params: { id }, query })
    const [group, remaining] = left === 'first' ? [pending.group, other] : [other, pending.group]
    expect(await computer.report(token)).toBe(204)

    await leave(group)

    expect(await computer.script(pending)).toBe(diskScript)
    expect(await attacker.script(pending)).toMatch(/^kernel /m)
    expect((await stateOf(pending)).bootRequests).toMatchObject([{ status: null }, { status: 'Success' }])
    await leave(remaining)
    expect(await stateOf(pending)).toEqual({ isPending: false, bootRequests: [] })
    expect(await db.selectFrom('boot_grants').where('computer_id', '=', pending.computer.id).execute()).toEqual([])
    expect(await computer.document(token)).toBe(404)
  })

  test('and is of no use in the installation that replaces it, although the computer stays activated', async () => {
    const pending = await installation()
    const own = tokenIn(await computer.script(pending))
    const [booted, nearer] = pending.os.skus
    const above = await given.group()
    const params = { id: pending.group.id }
    await as('group.write').call(moveGroup, { params, body: { parentId: above.id } })
    await given.assignment(above, booted ?? { id: 0 }, 'osImageSku')
    const body = { packageId: pending.os.id, skuId: nearer?.id ?? 0 }
    await as('group.write').call(assignGroupOsImageSku, { params, body })
    await pxe(pending, true)

    expect(await computer.file(own)).toBe(401)
    expect(await stateOf(pending)).toEqual({ isPending: true, bootRequests: [] })
    expect(await computer.script(pending)).toContain('muster.edition=Another')
    expect((await stateOf(pending)).bootRequests).toHaveLength(1)
  })

  test('and after a report that was not confirmed, another activation installs the computer again', async () => {
    const pending = await installation()
    await attacker.script(pending)
    await computer.report(tokenIn(await computer.script(pending)), { status: 'Failed' })
    expect(await computer.script(pending)).toBe(diskScript)

    await pxe(pending, true)

    expect(await computer.script(pending)).toMatch(/^kernel /m)
  })
})

test('a report for a computer that was deleted changes nothing', async () => {
  const pending = await installation()
  const token = tokenIn(await computer.script(pending))
  await db.deleteFrom('computers').where('id', '=', pending.computer.id).execute()

  expect(await computer.report(token)).toBe(204)
  expect(await computer.document(token)).toBe(404)
})

test('a person sees which addresses have asked and reported, and can confirm a report', async () => {
  const pending = await installation()
  await attacker.script(pending)
  await computer.report(tokenIn(await computer.script(pending)), { status: 'Failed', message: 'No disk' })
  const confirm = (address: string) =>
    as('activation.execute').call(confirmOsInstallation, { params: { id: pending.computer.id }, body: { address } })

  expect(await stateOf(pending)).toEqual({
    isPending: true,
    bootRequests: [
      expect.objectContaining({ address: '198.51.100.66', reportedAtUtc: null, status: null }),
      expect.objectContaining({
        address: '192.0.2.17',
        reportedFrom: '192.0.2.17',
        status: 'Failed',
        message: 'No disk',
      }),
    ],
  })
  expect(await confirm('198.51.100.66')).toMatchObject({ status: 409, problem: 'NoReportToConfirm' })
  expect((await confirm('192.0.2.17')).status).toBe(204)
  expect(await workOf(pending)).toBe('Failed')
  expect(await stateOf(pending)).toEqual({ isPending: false, bootRequests: [] })
})

test('an installer that gets a different address from the firmware is accepted if the binding is off', async () => {
  const configuration: Configuration = { ...app.services.configuration, bootBinding: 'off' }
  const { http } = await buildApp({ database, configuration })
  const [firmware, installer] = [client('192.0.2.17', http), client('192.0.2.99', http)]
  const pending = await installation()
  const token = tokenIn(await firmware.script(pending))

  expect(await installer.document(token)).toBe(200)
  expect(await installer.report(token)).toBe(204)

  expect([await workOf(pending), await isPxeActive(pending)]).toEqual(['Success', false])
  await http.close()
})
