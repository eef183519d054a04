import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, dialog, gone, press, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, type FakeService, listOf } from '../world/fake-service.ts'
import { FakeEventSource } from '../world/fake-stream.ts'
import { fakeService, openPage, screen, within } from '../world/open-page.tsx'

type Depot = AnswerOf<'GET /api/depots'>['items'][number]
type Tag = Depot['tags'][number]

/** A depot that works, and one that has not been set up. */
function givenDepots(changes: Partial<Depot> = {}) {
  const known = { ...(example('GET /api/depots').items[0] as Depot), domain: 'example.org', tags: [] }
  const never = { lastRunUtc: null, lastStatus: null, lastResult: null, nextRunUtc: null }
  const depots: { berlin: Depot } = {
    berlin: { ...known, ...never, clientId: 1, hostname: 'depot-ber-01', heartbeat: 'online', ...changes },
  }
  const boston: Depot = {
    ...{ ...known, ...never, clientId: 2, hostname: 'depot-bos-01', heartbeat: 'unknown' },
    hasCredential: false,
  }
  const service: FakeService = fakeService().on('GET /api/depots', () => listOf([depots.berlin, boston]))
  return { service, depots }
}

test('a depot is synchronised after a review, and its result appears without a reload', async () => {
  const jobs = '/api/system/sync-jobs'
  type Job = AnswerOf<`GET ${typeof jobs}`>['items'][number]
  const known = example(`GET ${jobs}`).items[0] as Job
  const waiting: Job = {
    ...{ ...known, hostname: 'depot-ber-01', domain: 'example.org', trigger: 'Manual', status: 'Pending' },
    ...{ finishedUtc: null, result: null, filesTransferred: 0, bytesTransferred: 0 },
  }
  const { service } = givenDepots()
  service
    .on('GET /api/queues', listOf<never>([]))
    .on(`GET ${jobs}`, listOf([waiting]))
    .onAny(`POST ${jobs}`, () => ({ jobs: [waiting] }))
  const { address } = await openPage('/infrastructure')
  await row(/depot-ber-01\.example\.org.*Online.*Never.*Issued/)
  await row(/depot-bos-01\.example\.org.*Not set up.*None/)

  await click(button(document.body, 'Synchronise: depot-ber-01.example.org'))
  const panel = await dialog('Synchronise depot-ber-01.example.org')
  await within(panel).findByText(/Synchronises 1 depot at the next heartbeat/)
  await expectAccessible(panel)
  expect(service.bodies(`POST ${jobs}`)).toEqual([])
  await click(button(panel, 'Synchronise'))
  await row(/depot-ber-01.*Waiting.*By a person/)
  const result = '3 packages are up to date.'
  const done: Job = { ...waiting, status: 'Success', filesTransferred: 2, bytesTransferred: 1_500_000, result }
  service.on(`GET ${jobs}`, listOf([done]))
  await FakeEventSource.emit({ type: 'muster.depot.synchronised', data: {} })

  await row(/depot-ber-01.*Succeeded.*2 files, 1\.5 MB.*3 packages are up to date/)
  expect(address()).toBe('/infrastructure/jobs')
  expect(service.bodies(`POST ${jobs}`)).toEqual([{ depotClientIds: [1] }])
})

async function chooseAction(name: string): Promise<void> {
  await click(await screen.findByRole('button', { name: 'More actions: depot-ber-01.example.org' }))
  await click(await screen.findByRole('menuitem', { name }))
}

test('tags of a depot are added and removed', async () => {
  const europe: Tag = { ...(example('GET /api/tags').items[0] as Tag), id: 5, designation: 'Europe' }
  const { service, depots } = givenDepots()
  service
    .on('GET /api/tags', listOf([europe]))
    .onAny('POST /api/depots/{clientId}/tags', () => {
      depots.berlin = { ...depots.berlin, tags: [europe] }
      return europe
    })
    .onAny('DELETE /api/depots/{clientId}/tags/{tagId}', () => {
      depots.berlin = { ...depots.berlin, tags: [] }
      return undefined
    })
  await openPage('/infrastructure/depots')

  await chooseAction('Edit tags')
  const asked = await dialog('Tags of depot-ber-01.example.org')
  await choose(within(asked).getByLabelText('Add a tag', { selector: 'input' }), 'Europe')
  const remove = await within(asked).findByRole('button', { name: 'Remove Europe' })
  await expectAccessible(asked)
  await click(remove)
  await within(asked).findByText('No tags')
  await press('Escape', asked)
  await gone(asked)

  expect(service.bodies('POST /api/depots/{clientId}/tags')).toEqual([{ tagId: 5 }])
})

test('the credential of a depot is replaced, shown once in its command, and revoked', async () => {
  const path = '/api/depots/{clientId}/credential'
  const { service, depots } = givenDepots()
  service
    .on(`POST ${path}`, example(`POST ${path}`, { credential: 'the-new-credential' }))
    .onAny(`DELETE ${path}`, () => {
      depots.berlin = { ...depots.berlin, hasCredential: false }
      return undefined
    })
  await openPage('/infrastructure/depots')

  await chooseAction('Create credential')
  await click(button(await dialog(/^Create a credential/), 'Create credential'))
  const shown = await dialog('Store this credential now')
  within(shown).getByText(/MUSTER_DEPOT_CREDENTIAL=the-new-credential npm run depot/)
  await click(within(shown).getByLabelText('I have stored the credential'))
  await click(button(shown, 'Continue'))
  await gone(shown)
  expect(document.body.textContent).not.toContain('the-new-credential')
  await chooseAction('Revoke credential')
  await click(button(await dialog(/Revoke/), 'Revoke credential'))

  await row(/depot-ber-01\.example\.org.*None/)
})

test('pending installations say whether they are ready, what is missing, and how far they are', async () => {
  const list = 'GET /api/fleet/os-installations'
  const one = example(list).items[0] as object
  fakeService().on(
    list,
    () =>
      listOf([
        {
          ...one,
          id: 3,
          hostname: 'desk-1',
          edition: 'Enterprise',
          ready: true,
          missing: [],
          bootRequests: 0,
          reports: 0,
        },
        { ...one, id: 4, hostname: 'desk-2', edition: null, ready: false, missing: ['MacAddress'], reports: 1 },
      ]) as never,
  )
  await openPage('/infrastructure/images')

  await row(/desk-1.*Enterprise.*Ready.*Has not booted from the network yet/)
  await row(/desk-2.*Not ready.*the MAC address of the computer is known.*Report to confirm/)
})
