import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { pageFilters } from '../../src/shell/page-filters.ts'
import { click } from '../world/acts.ts'
import { fakeService, openPage, screen } from '../world/open-page.tsx'

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
  const declared = new Set(Object.values(pageFilters).flat())

  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => !declared.has(name ?? ''))).toEqual([])
})
