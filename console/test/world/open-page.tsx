import './fake-stream.ts'
import { notifications } from '@mantine/notifications'
import { configure, waitFor } from '@testing-library/dom'
import { createRoot, type Root } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { expect, onTestFinished } from 'vitest'
import { App } from '../../src/shell/app.tsx'
import { createQueryClient } from '../../src/shell/query-client.ts'
import { routes } from '../../src/shell/routes.tsx'
import { type Language, loadTranslation } from '../../src/texts/texts.tsx'
import { FakeService } from './fake-service.ts'
import { givenSession, type SessionOptions } from './session.ts'

// A machine may be busy, and a page is loaded when it is opened for the first time.
configure({
  asyncUtilTimeout: 30_000,
  defaultHidden: true,
  getElementError: (message) => new Error(`${message?.split('\n\n')[0]}\nThe page shows: ${shownText()}`),
})

/** The page, its dialogs and its notices, without styles. */
function shownText(): string {
  const places = [...document.querySelectorAll('main, [role=dialog], [role=alert]')]
  return places.map(({ textContent }) => textContent?.replaceAll(/\S*\{[^{}]*\}+/g, '').slice(0, 1_000)).join('\n')
}

let current: FakeService | undefined
let root: Root | undefined

/** A service without any particular answers. The requests that the pages send to it must have an answer. */
export function fakeService(options: SessionOptions = {}): FakeService {
  const service = givenSession(new FakeService(), options)
  current = service
  onTestFinished(() => closePage(service))
  globalThis.fetch = service.fetch as typeof fetch
  return service
}

/** Opens a page of the console, as a person with all roles unless the service says otherwise. */
export async function openPage(path: string, { language = 'en' }: { language?: Language } = {}) {
  const service = current ?? fakeService()
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  const queryClient = createQueryClient()
  root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<App translation={await loadTranslation(language)} router={router} queryClient={queryClient} />)
  await waitFor(() => expect(document.querySelector('h1')).not.toBeNull())
  return {
    /** The address in the address bar. */
    address: () => router.state.location.pathname + router.state.location.search,
    goBack: () => router.navigate(-1),
    /** Leaves the page. The end of the test does so, too. */
    close: () => closePage(service),
  }
}

function closePage(service: FakeService): void {
  root?.unmount()
  document.body.replaceChildren()
  notifications.clean()
  localStorage.clear()
  sessionStorage.clear()
  current = undefined
  expect(service.unexpected, 'requests without an answer').toEqual([])
}

export { screen, waitFor, within } from '@testing-library/dom'
