import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { maxWaitMilliseconds, readinessQuery } from '../../src/api/readiness.ts'
import { click, contentOf, dialog, fill, gone, press } from '../world/acts.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const source = join(import.meta.dirname, '../../src')

const openForm = async () => {
  await click(await screen.findByRole('button', { name: 'Create token' }))
  return dialog('Create token')
}

const askBeforeUnload = () => {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

test('a panel asks before Escape, "back" or a reload loses what was entered', async () => {
  fakeService()
  const { goBack, address } = await openPage('/admin/about')
  await click(await screen.findByRole('link', { name: /^Enrolment/ }))
  const form = await openForm()
  const description = within(form).getByLabelText('Description')
  expect(askBeforeUnload()).toBe(false)
  await fill(description, 'Northern branches')

  await press('Escape')
  const question = await dialog('Discard your input?')
  await click(within(question).getByRole('button', { name: 'Keep editing' }))
  await gone(question)
  expect(askBeforeUnload()).toBe(true)
  void goBack()
  const again = await dialog('Discard your input?')
  expect(contentOf(description)).toBe('Northern branches')
  await click(within(again).getByRole('button', { name: 'Discard' }))

  await waitFor(() => expect(address()).toBe('/admin/about'))
  expect(askBeforeUnload()).toBe(false)
})

test('a panel in which nothing was entered closes at once, and so does one whose own button cancels it', async () => {
  fakeService()
  await openPage('/admin/enrolment')

  const untouched = await openForm()
  await press('Escape', untouched)
  await gone(untouched)
  const cancelled = await openForm()
  await fill(within(cancelled).getByLabelText('Description'), 'Never mind')
  await click(within(cancelled).getByRole('button', { name: 'Cancel' }))
  await gone(cancelled)

  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a person who types into a panel learns within seconds that the service is away', async () => {
  const service = fakeService()
  await openPage('/admin/enrolment')
  const form = await openForm()
  await fill(within(form).getByLabelText('Description'), 'Northern branches')

  const stoppedAt = performance.now()
  service.isReachable = false

  await within(form).findByText('The service cannot be reached.')
  // The page asks every few seconds. A busy machine shows the answer later.
  expect(performance.now() - stoppedAt).toBeLessThan(20_000)
  expect(contentOf(within(form).getByLabelText('Description'))).toBe('Northern branches')
})

test('a service that accepts requests and answers none is away as well, before seven seconds have passed', async () => {
  const service = fakeService()
  await openPage('/admin/enrolment')
  const form = await openForm()

  service.on('GET /health/ready', () => new Promise<never>(() => {}))

  await within(form).findByText('The service cannot be reached.')
  expect(Number(readinessQuery.refetchInterval) + maxWaitMilliseconds).toBeLessThan(7_000)
})

test('every panel and dialog keeps what is entered: those of the library are used only where nothing can be closed', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const users = files.filter((file) => /<(Drawer|Modal)\b/.test(readFileSync(join(source, file), 'utf8')))

  expect(users.sort()).toEqual([
    'components/dialog.tsx',
    'components/shown-once.tsx',
    'components/side-panel.tsx',
    // The question itself.
    'components/use-input-guard.tsx',
    'pages/sign-in/sign-in-again.tsx',
    // What is typed there is looked for at once, and is nothing to lose.
    'shell/palette/palette.tsx',
  ])
})

test('toasts stay away from the titles and the buttons of pages and panels', async () => {
  fakeService()
  await openPage('/admin/about')

  const places = [...document.querySelectorAll<HTMLElement>('.mantine-Notifications-root')]
  await waitFor(() => expect(document.querySelector('[data-position="bottom-left"]')).not.toBeNull())
  expect(
    places.filter(({ dataset, childElementCount }) => dataset.position?.startsWith('top') && childElementCount > 1),
  ).toEqual([])
})
