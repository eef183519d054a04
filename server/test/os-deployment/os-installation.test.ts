import { describe, expect, test } from 'vitest'
import { reportOsInstallation } from '../../src/channels/agent/report-os-installation.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { listOsInstallations } from '../../src/features/os-deployment/api/list-os-installations.ts'
import { fromComputer, openFusionWorld, samples } from '../channels/fusion/fusion-world.ts'
import { fingerprints } from '../world/tables.ts'
import { insertReportedInstallation } from './pending-installation.ts'

const { agent, as, db, given, allowTakeOver, post, state, work } = await openFusionWorld()

describe('installations of operating systems', () => {
  async function startInstallation() {
    const computer = await agent()
    const image = await given.osImage()
    const workId = await work(computer, image, { kind: 'OperatingSystem' })
    const [group, other] = [await given.group(), await given.group({ tree: 'AssignmentGroups' })]
    for (const joined of [group, other]) await given.member(joined, computer)
    await given.assignment(group, image.skus[0] ?? { id: 0 }, 'osImageSku')
    await given.assignment(group, await given.pxeBootImage(), 'pxeBootImage')
    await db
      .insertInto('activations')
      .values([
        { computer_id: computer.id, group_id: group.id, pxe: true },
        { computer_id: computer.id, group_id: other.id, pxe: true, software: true },
      ])
      .execute()
    const isPxeActive = async () =>
      (await as('computer.read').call(getComputer, { params: { id: computer.id } })).body.isPxeActive
    const activations = () =>
      db.selectFrom('activations').select(['pxe', 'software']).where('computer_id', '=', computer.id).execute()
    return { ...computer, computer, image, workId, isPxeActive, activations }
  }

  test('a reported success ends the installation', async () => {
    const { computer, itself, image, workId, isPxeActive, activations } = await startInstallation()

    const reported = await itself.call(reportOsInstallation, { body: { status: 'Success', message: null } })

    expect(reported.status).toBe(204)
    expect(await isPxeActive()).toBe(false)
    expect(await activations()).toEqual([{ pxe: false, software: true }])
    expect(await state.work(workId)).toMatchObject({ state: 'Success' })
    expect(await state.deployment(computer, image)).toMatchObject({
      status: 'Success',
      installation_state: 'Installed',
    })
    expect(await state.events(computer)).toMatchObject([{ result: 'Success', install_mode: 'OperatingSystem' }])
  })

  test('a reported failure ends the installation, so the computer does not start it again', async () => {
    const { computer, itself, image, workId, isPxeActive } = await startInstallation()

    await itself.call(reportOsInstallation, { body: { status: 'Failed', message: 'The disk is too small.' } })

    expect(await isPxeActive()).toBe(false)
    expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
    expect(await state.deployment(computer, image)).toMatchObject({
      status: 'Failed',
      error_text: 'The disk is too small.',
    })
  })

  test('an agent of others that a person has confirmed confirms the success that an installer reported', async () => {
    const { id } = await given.computer({ mac: '0a0b0c0d0e17' })
    await insertReportedInstallation({ db, given }, { id })
    const isPxeActive = async () => (await as('computer.read').call(getComputer, { params: { id } })).body.isPxeActive
    const inventory = fromComputer(samples.fusionInventory, 'installed', '0a:0b:0c:0d:0e:17')

    await post(inventory)
    const inQuarantine = await isPxeActive()
    await allowTakeOver({ id })
    await post(inventory)

    expect([inQuarantine, await isPxeActive()]).toEqual([true, false])
  })

  test('the list of pending installations says what each of them needs, and how far it is', async () => {
    const started = await startInstallation()
    const waiting = await given.computer({ mac: '0a0b0c0d0e18' })
    await insertReportedInstallation({ db, given }, waiting)
    const list = async () => {
      const { body } = await as('computer.read').call(listOsInstallations, { query: { top: 1000 } })
      return (id: number) => body.items.find((one) => one.id === id)
    }

    const atFirst = await list()
    await started.itself.call(reportOsInstallation, { body: { status: 'Success', message: null } })
    const later = await list()

    expect(atFirst(started.computer.id)).toMatchObject({ edition: 'Professional', bootRequests: 0, reports: 0 })
    expect(atFirst(waiting.id)).toMatchObject({
      hostname: waiting.name,
      ready: false,
      edition: null,
      missing: expect.arrayContaining(['OsImageSku', 'PxeBootImage']),
      bootRequests: 1,
      reports: 1,
    })
    expect([later(started.computer.id), later(waiting.id)?.reports]).toEqual([undefined, 1])
  })

  test('a report without a pending installation changes nothing', async () => {
    const { itself } = await agent()
    const before = await fingerprints(db)

    expect((await itself.call(reportOsInstallation, { body: { status: 'Success', message: null } })).status).toBe(204)

    expect(await fingerprints(db)).toEqual(before)
  })
})
