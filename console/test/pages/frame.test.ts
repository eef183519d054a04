import type { components } from '@muster/client'
import { expect, onTestFinished, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { click, contentOf, fill } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { example, FakeAnswer, type FakeService, listOf, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

type Readiness = components['schemas']['Readiness']

const check = (name: string, status: 'passed' | 'warning' | 'failed', code: string | null, detail: string | null) => ({
  name,
  status,
  code,
  detail,
  sinceUtc: '2026-01-01T00:00:00.000Z',
})

const disk = check('disk', 'warning', 'DiskLow', 'A disk of the service has little room left.')
const jobs = check('jobs', 'failed', 'JobsNotRunning', 'Background jobs do not run.')
const newer = check('moon', 'failed', 'MoonMissing', 'The moon has not risen.')

const givenHealth = (readiness: Readiness) =>
  fakeService().onAny(
    'GET /health/ready',
    () => new FakeAnswer(readiness, { status: readiness.status === 'unavailable' ? 503 : 200 }),
  )

test('a service that needs attention says so above every page', async () => {
  givenHealth({ status: 'degraded', checks: [disk] })
  await openPage('/admin/roles')

  await screen.findByText('The service works, but something needs attention.')
  await expectAccessible(screen.getByRole('main'))
  screen.getByText('A disk of the service has little room left.')
})

test('a service in which all is well is not mentioned', async () => {
  fakeService()
  await openPage('/admin/roles')
  await screen.findByRole('heading', { name: 'Roles' })

  expect(screen.queryByText(/needs attention|disrupted/)).toBeNull()
})

test('what does not work is listed in German, including what a newer service has found', async () => {
  givenHealth({ status: 'unavailable', checks: [disk, jobs, newer] })
  await openPage('/admin/roles', { language: 'de' })

  await screen.findByText('Der Dienst ist gestört.')
  screen.getByText('Hintergrundaufträge wie Importe laufen nicht.')
  screen.getByText('The moon has not risen.')
})

test('the console is switched from German to English at once, and the choice is remembered', async () => {
  fakeService()
  await openPage('/admin/principals/new', { language: 'de' })
  await screen.findByText('Computer neu starten.')
  expect(document.documentElement.lang).toBe('de')

  await click(await screen.findByRole('button', { name: 'Konto und Einstellungen' }))
  await click(await screen.findByLabelText('English'))

  await screen.findByRole('heading', { name: 'Add principal' })
  await waitFor(() => expect(document.documentElement.lang).toBe('en'))
  expect(localStorage.getItem('muster.language')).toBe('en')
})

test('the colour scheme that a user chooses is used at once, and remembered', async () => {
  fakeService()
  await openPage('/admin/about')
  await click(await screen.findByRole('button', { name: 'Account and settings' }))

  await click(await screen.findByLabelText('Dark'))

  await waitFor(() => expect(document.documentElement.dataset.mantineColorScheme).toBe('dark'))
  expect(Object.values({ ...localStorage })).toContain('dark')
})

/** Makes the service unreachable, and lets the browser know that it is offline if it is. */
function setNetwork(
  service: FakeService,
  { isReachable, isOnline }: { isReachable: boolean; isOnline: boolean },
): void {
  service.isReachable = isReachable
  Object.defineProperty(navigator, 'onLine', { value: isOnline, configurable: true })
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}

test.each([
  ['without a network', false, 'You are offline. Your input is still here: try again.'],
  ['without the service', true, 'The service cannot be reached. Your input is still here: try again.'],
])('%s, saving says so in words, and nothing typed is lost', async (_name, isOnline, explanation) => {
  const path = '/api/admin/local-principals/{id}'
  const service = fakeService()
  const value = example(`GET ${path}`, { id: 7, description: 'Before' })
  const principal = new FakeResource(value, 'PrincipalNotFound').serve(service, path)
  await openPage('/admin/principals/local/7')
  const description = await screen.findByLabelText('Description')
  await fill(description, 'Typed on the train')
  setNetwork(service, { isReachable: false, isOnline })
  onTestFinished(() => setNetwork(service, { isReachable: true, isOnline: true }))
  const notice = () => screen.queryByText(/You are offline\. Changes can be saved/)
  await waitFor(() => expect(notice() === null).toBe(isOnline))

  await click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(explanation)
  expect(contentOf(description)).toBe('Typed on the train')
  setNetwork(service, { isReachable: true, isOnline: true })
  await waitFor(() => expect(notice()).toBeNull())
  await click(screen.getByRole('button', { name: 'Save' }))

  await screen.findByRole('heading', { name: 'Typed on the train' })
  expect(principal.value?.description).toBe('Typed on the train')
})

test('names that look the same are listed for administrators, with a link to what has a page', async () => {
  const path = '/api/fleet/duplicate-names'
  const known = example(`GET ${path}`).items[0] as AnswerOf<`GET ${typeof path}`>['items'][number]
  const twins = [
    { ...known, kind: 'Group', id: 'g1', name: 'Tills', shownName: 'Tills' },
    { ...known, kind: 'Tag', id: '7', name: 'Tills ', shownName: 'Tills' },
  ] as const
  fakeService().on(`GET ${path}`, listOf([...twins]))
  await openPage('/admin/about')

  const table = await screen.findByRole('table', { name: 'Names that look the same' })
  expect(within(table).getByRole('link', { name: 'Tills' }).getAttribute('href')).toBe('/groups/g1')
  expect(within(table).getByText('"Tills "')).toBeDefined()
})

const saving = async (answer: FakeAnswer, language: 'en' | 'de' = 'en') => {
  const path = '/api/admin/local-principals/{id}'
  fakeService()
    .on(`GET ${path}`, example(`GET ${path}`, { id: 7, description: 'Before' }))
    .onAny(`PUT ${path}`, () => answer)
  await openPage('/admin/principals/local/7', { language })
  await fill(await screen.findByLabelText(language === 'de' ? 'Beschreibung' : 'Description'), 'After')
  await click(screen.getByRole('button', { name: language === 'de' ? 'Speichern' : 'Save' }))
  return screen.findByRole('alert')
}

test('an error is a sentence in the language of the person, with the words of the API behind its details', async () => {
  const words = 'Nobody would be left. Assign the role admin.manage to another local principal first.'

  const alert = await saving(problem(409, 'LastAdministrator', words), 'de')

  await within(alert).findByText('Niemand könnte mehr Zugänge verwalten.')
  const details = within(alert).getByText(words).closest('details')
  await waitFor(() => expect(details?.open).toBe(false))
  within(alert).getByText('Einzelheiten')
  within(alert).getByText(/LastAdministrator · Anfrage r-1/)
})

test('of an error without a sentence of its own, the words of the API are shown at once', async () => {
  const alert = await saving(problem(409, 'CategoryMismatch', 'A group of this category has other patches.'))

  within(alert).getByText('This cannot be done at the moment.')
  expect(within(alert).getByText('A group of this category has other patches.').closest('details')?.open).toBe(true)
})
