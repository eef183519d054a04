import { expect, test } from 'vitest'
import { button, click, contentOf, dialog, fill } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor } from '../world/open-page.tsx'

const hostile = `<img src=x onerror="window.wasHit=1"><script>window.wasHit=1</script>{{7*7}}'"--`
const path = '/api/admin/local-principals'
const principalOf = (description: string) => example(`GET ${path}/{id}`, { id: 7, description })

const expectOnlyText = () => expect(document.querySelectorAll('img[src=x], main script')).toHaveLength(0)

test.each([
  ['the list of principals', '/admin/principals'],
  ['a principal', '/admin/principals/local/7'],
])('markup in a name is shown as text: %s', async (_page, address) => {
  fakeService()
    .on(`GET ${path}`, [principalOf(hostile)])
    .on(`GET ${path}/{id}`, principalOf(hostile))
  await openPage(address)

  await screen.findAllByText(hostile)
  expectOnlyText()
})

test('markup that is typed into a text field is shown as text, even when somebody is asked about it', async () => {
  const user = example('GET /api/admin/principals/{id}', { id: 8, displayName: hostile })
  const service = fakeService()
    .on('GET /api/admin/principals', [])
    .on('POST /api/admin/principals', user)
    .on('GET /api/admin/principals/{id}', user)
  await openPage('/admin/principals/new?kind=user')

  for (const field of [/^Subject ID/, 'Display name', 'Issuer'])
    await fill(await screen.findByLabelText(field), hostile)
  await click(button(document.body, 'Create'))
  await screen.findByRole('heading', { name: hostile })
  await click(button(document.body, 'Delete'))

  await dialog(`Delete ${hostile}?`)
  expect(service.bodies('POST /api/admin/principals')).toMatchObject([{ subjectId: hostile, displayName: hostile }])
  expectOnlyText()
})

test('markup in the request of an audit entry, and in the address, is shown as text', async () => {
  type Entry = AnswerOf<'GET /api/audit'>['items'][number]
  const entry = { ...(example('GET /api/audit').items[0] as Entry), request: { body: { displayName: hostile } } }
  fakeService()
    .on('GET /api/audit', listOf([entry]))
    .on(`GET ${path}`, [])
    .on('GET /api/admin/principals', [])
  await openPage(`/admin/audit?target=${encodeURIComponent(hostile)}`)

  await click(await screen.findByRole('button', { name: /Details/ }))
  await screen.findByText(/onerror/)
  expect(contentOf(screen.getByLabelText('Target', { selector: 'input' }))).toBe(hostile)
  expectOnlyText()
})

test('a deceptive text is shown with escapes, and the field for it has the exact text', async () => {
  const deceptive = 'Report\u202egnp.exe\u200b'
  const shown = 'Report\\u202egnp.exe\\u200b'
  fakeService().on(`GET ${path}/{id}`, principalOf(deceptive))
  await openPage('/admin/principals/local/7')

  await screen.findByRole('heading', { name: shown })
  await waitFor(() => expect(document.title).toContain(shown))
  expect(contentOf(screen.getByLabelText('Description'))).toBe(deceptive)
  await click(button(document.body, 'Delete'))

  await dialog(`Delete ${shown}?`)
})
