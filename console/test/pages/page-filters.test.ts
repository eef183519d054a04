import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteObject } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { listPageFilters } from '../../src/shell/page-filters.ts'
import { routes } from '../../src/shell/routes.tsx'
import { click } from '../world/acts.ts'
import { fakeService, openPage, screen, waitFor } from '../world/open-page.tsx'

const pages = join(import.meta.dirname, '../../src/pages')

// The router prints what a page throws.
beforeEach(() => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  return () => printed.mockRestore()
})

const unknown = [
  ['a filter', '/computers?agentStaus=Silent', 'agentStaus=Silent'],
  ['a filter of another page', '/packages?severity=Critical', 'severity=Critical'],
  ['a value', '/rollouts?state=Pausd', 'state=Pausd'],
  ['a value', '/admin/approvals?state=Open', 'state=Open'],
  ['a value', '/patches?severity=Grave', 'severity=Grave'],
  ['a value', '/admin/principals?kind=robot', 'kind=robot'],
]

test.each(unknown)(
  '%s that the page does not know is an error, and shows no longer list: %s',
  async (_what, path, shown) => {
    fakeService()
    const { address } = await openPage(path)

    await screen.findByText(new RegExp(`no filter “${shown}”`))
    expect(screen.queryByRole('table')).toBeNull()
    await click(screen.getByRole('link', { name: 'Show the page without it' }))

    await screen.findByRole('main')
    expect(address()).toBe(path.split('?')[0])
  },
)

const addressOf = (path: string, tab = '') =>
  path
    .replace('/:tab?', tab && `/${tab}`)
    .replace('/:kind?', '/failed-deployment')
    .replace(':kind', 'local')
    .replaceAll(/:id\??/g, '17')

/** The addresses of all pages, without those that lead to another one. */
const addresses = (list: readonly RouteObject[]): string[] =>
  list.flatMap(({ path, lazy, children = [] }) => [
    ...(path && lazy && path !== '/admin/sign-in' ? [addressOf(path)] : []),
    ...addresses(children),
  ])

test.each(addresses(routes))('%s refuses a filter that no page knows', async (address) => {
  fakeService()
  await openPage(`${address}?inventedFilter=1`)

  await screen.findByText(/no filter “inventedFilter=1”/)
  expect(screen.queryByRole('table')).toBeNull()
})

/** Parameters that select no part of a list, with what they do. */
const others: Record<string, string> = {
  columns: 'the columns of the list',
  deploy: 'opens a panel',
  descending: 'the order of the list',
  import: 'opens a panel',
  open: 'the open groups of the tree',
  section: 'a part of the inventory',
  sort: 'the order of the list',
  try: 'opens a trial',
  view: 'a part of the history',
  why: 'opens a panel',
}

/** Filters that the page itself applies to what it has read, and that show their text in a field. */
const ofThePage = /^\/(groups|computers|admin|infrastructure)\S* (search|variable|name)$/

/** A choice on the page, which shows one thing or the first of them. */
const choices: readonly string[] = ['/groups/17/options package', '/groups/17/why package', '/packages/17 cause']

/** What an address needs before the filter has an effect. */
const needed: Record<string, string> = { '/software version': 'name=openssl&' }

const filters = listPageFilters().flatMap(({ path, tab, names }) =>
  names
    .map((name) => [addressOf(path, tab), name] as const)
    .filter(([address, name]) => !(name in others || choices.includes(`${address} ${name}`))),
)
const value = 'zz4711'

test.each(filters)('%s does not ignore %s: it refuses the value, or asks the service for it', async (address, name) => {
  const service = fakeService()
  await openPage(`${address}?${needed[`${address} ${name}`] ?? ''}${name}=${value}`)

  await waitFor(
    () => {
      const isRefused = screen.queryByText(new RegExp(`no filter “${name}=${value}”`)) !== null
      const isSent = service.sent.some(({ path, query, body }) =>
        JSON.stringify([path, [...query], body]).includes(value),
      )
      const isShown = ofThePage.test(`${address} ${name}`) && screen.queryByDisplayValue(value) !== null
      expect([isRefused, isSent, isShown]).toContain(true)
    },
    { timeout: 10_000 },
  )
  // Some values select something that a page then creates or looks for.
  service.unexpected.length = 0
})

test('the list of the filters of all pages has those that the pages read, and no others', () => {
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  const sources = files
    .filter((file) => !file.startsWith('sign-in'))
    .map((file) => readFileSync(join(pages, file), 'utf8'))
  const listed = sources.flatMap((text) => [
    ...text.matchAll(/useFilters\(\[([^\]]*)\]|(?:Filters|filterNames|softwareNames) = \[([^\]]*)\] as const/g),
  ])
  const read = sources.flatMap((text) => [...text.matchAll(/params\.get\('(\w+)'\)|^const parameter = '(\w+)'/gm)])
  const names = [
    ...listed.flatMap(([, ...lists]) => [...lists.join().matchAll(/'(\w+)'/g)].map(([, name]) => name)),
    ...read.map(([, direct, constant]) => direct ?? constant),
  ]
  const declared = new Set(listPageFilters().flatMap(({ names }) => names))

  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => !declared.has(name ?? ''))).toEqual([])
})
