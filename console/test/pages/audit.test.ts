import { expect, test } from 'vitest'
import { button, choose, click, dialog, fill, press } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

type Entry = AnswerOf<'GET /api/audit'>['items'][number]

const subject = '/api/admin/local-principals/7'

const entries: Partial<Entry>[] = [
  { operation: 'signIn', target: '/admin/session', principalId: 1 },
  { operation: 'setLocalPrincipalRevoked', request: { body: { isRevoked: false } } },
  { operation: 'setLocalPrincipalRevoked', request: { body: { isRevoked: true } } },
  { operation: 'createLocalPrincipal' },
  {
    operation: 'activateGroup',
    target: '/api/group/g1/activation',
    principalDisplayName: 'Demo',
    names: [{ kind: 'Group', id: 'g1', name: 'Configuration/Berlin' }],
  },
]

/** Entries as the service filters them. */
function givenEntries() {
  const known = example('GET /api/audit').items[0] as Entry
  const watched = { kind: 'LocalPrincipal', id: '7', name: 'Watched' } as const
  const all = entries.map(
    (entry, at): Entry => ({
      ...known,
      id: at + 1,
      target: subject,
      names: [watched],
      principalId: 2,
      status: 200,
      ...entry,
    }),
  )
  const service = fakeService().on('GET /api/admin/local-principals', []).on('GET /api/admin/principals', [])
  return service.on('GET /api/audit', ({ query }) => {
    const [target, operation, principalId, before] = ['target', 'operation', 'principalId', 'before'].map((name) =>
      query.get(name),
    )
    const items = all.filter(
      (entry) =>
        (!target || entry.target === target) &&
        (!operation || entry.operation === operation) &&
        (!principalId || String(entry.principalId) === principalId) &&
        !before,
    )
    return listOf(items)
  })
}

const operations = () => screen.queryAllByRole('button', { name: /: Details/ }).map(({ textContent }) => textContent)
const shows = (...names: string[]) => waitFor(() => expect(operations()).toEqual(names))

test('the audit trail is filtered by target, operation, principal and time', async () => {
  const own = example('GET /api/admin/local-principals/{id}', { id: 1, clientId: 'client-visitor', description: null })
  givenEntries().on('GET /api/admin/local-principals', [own])
  const { address } = await openPage('/admin/audit')
  await shows(...entries.map(({ operation }) => operation as string))

  await fill(screen.getByLabelText('Target'), subject)
  await shows('setLocalPrincipalRevoked', 'setLocalPrincipalRevoked', 'createLocalPrincipal')
  await fill(screen.getByLabelText('Operation', { selector: 'input' }), 'createLocalPrincipal')
  await shows('createLocalPrincipal')
  await click(button(document.body, 'Clear filters'))
  await choose(screen.getByLabelText('Principal', { selector: 'input' }), /client-visitor/)
  await shows('signIn')
  await fill(screen.getByLabelText('Until'), '2020-01-01T00:00')

  await screen.findByText('No matches')
  expect(address()).toMatch(/principalId=1&before=20(19-12-31|20-01-01)T/)
})

const sentences = () => screen.queryAllByRole('cell').map(({ textContent }) => textContent)

test.each([
  ['en', 'Demo deployed to Configuration/Berlin'],
  ['de', 'Demo hat auf Configuration/Berlin verteilt'],
] as const)('the audit trail says in words who did what, with links to the things: %s', async (language, sentence) => {
  givenEntries()
  await openPage('/admin/audit?operation=activateGroup', { language })

  await waitFor(() => expect(sentences()).toContain(sentence))
  expect(screen.getByRole('link', { name: 'Configuration/Berlin' }).getAttribute('href')).toBe('/groups/g1')
})

test('the sentence of an entry depends on its request', async () => {
  givenEntries()
  await openPage('/admin/audit?operation=setLocalPrincipalRevoked')

  await waitFor(() => expect(sentences().join()).toMatch(/restored the principal Watched/))
  expect(sentences().join()).toMatch(/revoked the principal Watched/)
})

test('an audit entry shows the request and links to all entries of its target', async () => {
  givenEntries()
  const { address } = await openPage('/admin/audit?operation=setLocalPrincipalRevoked')
  const opener = async () =>
    (await screen.findAllByRole('button', { name: /^setLocalPrincipalRevoked: Details/ }))[0] as HTMLElement

  await click(await opener())
  const drawer = await dialog(/^Entry \d+$/)
  within(drawer).getByText(/"isRevoked": false/)
  within(drawer).getByText(/npm run verify-audit/)
  await press('Escape', drawer)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(async () => expect(document.activeElement).toBe(await opener()))
  await click(await opener())
  await click(button(await dialog(/^Entry/), 'All entries for this target'))

  await screen.findByRole('button', { name: /^createLocalPrincipal: Details/ })
  expect(address()).toBe(`/admin/audit?target=${encodeURIComponent(subject)}`)
})
