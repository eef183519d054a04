import { expect, test } from 'vitest'
import { button, click } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { example } from '../world/fake-service.ts'
import { givenGroups } from '../world/given-groups.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const list = 'GET /api/pre-downloads'

function counts(changes: Partial<AnswerOf<typeof list>[number]> = {}) {
  const [known] = example(list)
  if (!known) throw new Error('The example has no package.')
  return [{ ...known, packageName: 'Firefox', version: '128.0', total: 1_000, ready: 812, ...changes }]
}

test('a task says on how many of their computers a package is ready', async () => {
  const service = fakeService().on(list, () => counts())
  await openPage('/tasks/t1')

  const section = await screen.findByRole('region', { name: 'Downloaded ahead' })
  expect(section.textContent).toContain('Firefox 128.0: ready on 812 of 1,000')
  const asked = service.sent.filter(({ name }) => name === list).map(({ query }) => query.get('trackingId'))
  expect(asked).toContain('t1')
})

test('nothing is shown if nothing is downloaded ahead', async () => {
  fakeService().on(list, () => [])
  await openPage('/tasks/t1')

  await screen.findByRole('heading', { name: 'Work items' })
  expect(screen.queryByRole('region', { name: 'Downloaded ahead' })).toBeNull()
})

test('the options of a group turn it on, and show how many computers are ready, after a review', async () => {
  const path = '/api/group/{id}/distribution-options'
  type Options = AnswerOf<`GET ${typeof path}`>
  const { service } = givenGroups({ optionSources: [] })
  const plain: Options = example(`GET ${path}`, { packageId: null, commands: ['Install'], preDownload: false })
  const options = new FakeResource<Options>(plain, 'GroupNotFound').serve(service, path)
  service
    .onAny(
      `PUT ${path}`,
      options.update(({ body }, before) => ({ ...before, ...(body as Partial<Options>) }), 5),
    )
    .on(list, () => counts())
  await openPage('/groups/tills/options')
  await screen.findByText(/ready on 812 of 1,000/)

  await click(await screen.findByRole('button', { name: 'Edit options' }))
  const panel = await screen.findByRole('dialog')
  await click(await within(panel).findByRole('checkbox', { name: 'Download ahead' }))
  await within(panel).findByText(/^Changes the options for 5 computers/)
  await click(button(panel, 'Save'))

  await waitFor(() => expect(options.value?.preDownload).toBe(true))
})
