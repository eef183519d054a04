import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fireEvent } from '@testing-library/dom'
import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { guideOfPage, guidesOfPages } from '../../src/shell/help/guide-of-page.ts'
import { routes } from '../../src/shell/routes.tsx'
import { enDesiredState } from '../../src/texts/en-desired-state.ts'
import { enInfrastructure } from '../../src/texts/en-infrastructure.ts'
import { enPatches } from '../../src/texts/en-patches.ts'
import { enReports } from '../../src/texts/en-reports.ts'
import { enTags } from '../../src/texts/en-tags.ts'
import { enVariables } from '../../src/texts/en-variables.ts'
import { renderDocument } from '../../tools/help/render-document.ts'
import { expectAccessible } from '../world/accessible.ts'
import { click, contentOf, dialog, fill, gone, press } from '../world/acts.ts'
import { example, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const search = 'GET /api/fleet/search'
const nothing = {
  ...{ computers: [], users: [], packages: [], groups: [], rollouts: [], cves: [], patches: [], principals: [] },
}

const found = example(search)

async function openPalette() {
  // The tools of the header are loaded after the page.
  await screen.findByRole('button', { name: 'Help' })
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  return dialog('Find')
}

const options = (palette: HTMLElement) => within(palette).getAllByRole('option')
const namesOf = (palette: HTMLElement) => options(palette).map(({ textContent }) => textContent)

test('Ctrl-K finds a computer by keyboard alone, and opens it', async () => {
  const [computer] = found.computers ?? []
  if (!computer) throw new Error('The example has a computer.')
  const service = fakeService().on(search, {
    ...nothing,
    computers: [{ ...computer, id: 7, hostname: 'till-7', matchedBy: 'SerialNumber', matchedText: 'PF3K9XYZ' }],
  })
  const { address } = await openPage('/admin/roles')

  const palette = await openPalette()
  const field = within(palette).getByRole('combobox')
  await waitFor(() => expect(document.activeElement?.id).toBe(field.id))
  await fill(field, 'pf3k9')
  await waitFor(() => expect(namesOf(palette)[0]).toBe('till-7Serial number PF3K9XYZ'))
  await expectAccessible(palette)
  expect(field.getAttribute('aria-activedescendant')).toBe(options(palette)[0]?.id)
  within(palette).getByRole('group', { name: 'Computers' })
  await press('Enter', field)

  await waitFor(() => expect(address()).toBe('/computers/7'))
  expect(
    service.sent
      .filter(({ name }) => name === search)
      .at(-1)
      ?.query.get('search'),
  ).toBe('pf3k9')
  await gone(palette)
  const again = await openPalette()
  await within(again).findByRole('group', { name: 'Recent' })
  expect(namesOf(again)[0]).toBe('till-7Serial number PF3K9XYZ')
})

test('pages, actions and guides are found without an answer of the service, by any of their words', async () => {
  fakeService().onAny(search, () => problem(503, 'Unavailable' as never))
  await openPage('/admin/roles')

  const palette = await openPalette()
  await fill(within(palette).getByRole('combobox'), 'audit')

  await waitFor(() => expect(namesOf(palette)[0]).toBe('Audit trail'))
  within(palette).getByRole('group', { name: 'Guides' })
  await within(palette).findByText(/The search failed/)
})

test('the tabs of pages are found as well as the pages', async () => {
  fakeService().on(search, nothing)
  await openPage('/admin/roles')
  const { tab: tags, fields } = enTags
  const { compliance, groupsTitle } = enPatches
  const tabs = [enInfrastructure.tabs, enReports.tabs].flatMap((names) => Object.values(names))

  const found = namesOf(await openPalette()).join('\n')

  for (const name of [...tabs, tags, fields.tab, enVariables.tab, compliance.title, groupsTitle])
    expect(found).toContain(name)
  expect(found).toContain(enDesiredState.tabs.current)
})

test('a person finds only the pages and actions of their roles', async () => {
  fakeService({ roles: ['computer.read'] }).on(search, { ...nothing, groups: null, packages: null })
  await openPage('/admin/about')

  const palette = await openPalette()

  expect(namesOf(palette)).toContain('Computers')
  expect(namesOf(palette)).not.toContain('Webhooks')
  await fill(within(palette).getByRole('combobox'), 'principal')
  await waitFor(() => expect(within(palette).queryByText('Add a principal')).toBeNull())
})

test('an answer that arrives after a later one is not shown', async () => {
  const [computer] = found.computers ?? []
  if (!computer) throw new Error('The example has a computer.')
  const answers = new Map<string, () => void>()
  fakeService().on(search, async ({ query }) => {
    const text = query.get('search') ?? ''
    await new Promise<void>((resolve) => answers.set(text, resolve))
    return { ...nothing, computers: [{ ...computer, hostname: `${text}-computer`, matchedBy: 'Name' as const }] }
  })
  await openPage('/admin/roles')
  const palette = await openPalette()
  const field = within(palette).getByRole('combobox')

  await fill(field, 'early')
  await waitFor(() => expect(answers.has('early')).toBe(true))
  await fill(field, 'later')
  await waitFor(() => expect(answers.has('later')).toBe(true))
  answers.get('later')?.()
  await within(palette).findByText('later-computer')
  answers.get('early')?.()

  await waitFor(() => expect(within(palette).queryByText('early-computer')).toBeNull())
  expect(contentOf(field)).toBe('later')
})

test('a question mark shows the keyboard shortcuts, except where somebody types', async () => {
  fakeService()
  await openPage('/admin/principals')
  const field = await screen.findByRole('searchbox')
  await screen.findByRole('button', { name: 'Help' })

  await press('?', field)
  expect(screen.queryByRole('dialog')).toBeNull()
  await press('?', document.body)

  const shortcuts = await dialog('Keyboard shortcuts')
  await within(shortcuts).findByText('Find computers, pages and actions')
  await expectAccessible(shortcuts)
})

test('the help leads to the guide of the page, in a tab of its own', async () => {
  fakeService()
  await openPage('/admin/webhooks')

  await click(await screen.findByRole('button', { name: 'Help' }))

  const guide = await screen.findByRole('menuitem', { name: /Guide to this page/ })
  expect(guide.getAttribute('href')).toBe('/help/guides/events.html#send-failures-to-a-chat')
  expect(guide.getAttribute('target')).toBe('_blank')
})

/** The paths of all routes that show a page. */
function pathsOf(list: readonly RouteObject[]): string[] {
  return list.flatMap(({ path, element, children }) => [
    ...(path !== undefined && path !== '*' && !element ? [path] : []),
    ...pathsOf(children ?? []),
  ])
}

test('every page has a guide that exists, with the heading that is about it', () => {
  const paths = pathsOf(routes)

  expect(paths.length).toBeGreaterThan(25)
  expect(Object.keys(guidesOfPages).toSorted()).toEqual(paths.toSorted())
  for (const [path, guide] of Object.entries(guidesOfPages)) {
    const [file = '', anchor] = guide.split('#')
    const document = join(import.meta.dirname, '../../../docs', file)
    expect(existsSync(document), `${path}: ${file}`).toBe(true)
    const { headings } = renderDocument(file, readFileSync(document, 'utf8'))
    if (anchor !== undefined)
      expect(
        headings.map(({ id }) => id),
        `${path}: ${guide}`,
      ).toContain(anchor)
  }
})

test('the guide of an address is that of its most specific page', () => {
  expect(guideOfPage('/admin/principals/new')).toBe('/help/guides/sign-in.html#configure-a-provider')
  expect(guideOfPage('/computers/17/software')).toBe('/help/guides/explain.html#what-the-answer-says')
  expect(guideOfPage('/nowhere')).toBe('/help/guides/index.html')
})

test('Ctrl-K finds what a person may do by its words, and opens the panel', async () => {
  fakeService().on(search, nothing)
  const { address } = await openPage('/admin/about')
  const palette = await openPalette()
  const field = within(palette).getByRole('combobox')

  await fill(field, 'restart')
  await within(palette).findByRole('option', { name: /^Restart computers/ })
  await fill(field, 'create group')
  await within(palette).findByRole('option', { name: /^Create a group/ })
  await fill(field, 'token')
  await click(await within(palette).findByRole('option', { name: /^Create an enrolment token/ }))

  await dialog('Create token')
  expect(address()).toBe('/admin/enrolment')
})

test('Ctrl-K does not offer what the roles of a person do not allow', async () => {
  fakeService({ roles: ['computer.read'] }).on(search, nothing)
  await openPage('/computers')
  const palette = await openPalette()
  const field = within(palette).getByRole('combobox')

  await fill(field, 'new')

  await within(palette).findByRole('option', { name: /^New report/ })
  expect(within(palette).queryByRole('option', { name: /^New webhook/ })).toBeNull()
})
