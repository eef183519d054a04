import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteObject } from 'react-router'
import { expect, inject, test } from 'vitest'
import { listPageFilters } from '../../src/shell/page-filters.ts'
import { routes } from '../../src/shell/routes.tsx'
import { en } from '../../src/texts/en.ts'
import type { FakeService } from '../world/fake-service.ts'
import { fakeService, openPage, waitFor } from '../world/open-page.tsx'

// Several groups may have one name, such as the Finance departments of two sites: only their paths distinguish them.

const sources = join(import.meta.dirname, '../../src')

const tabs = Object.groupBy(listPageFilters(), ({ path }) => path)
const paths = (list: readonly RouteObject[]): string[] =>
  list.flatMap(({ path, lazy, children = [] }) => [
    ...(path && lazy && path !== '/admin/sign-in' ? [path] : []),
    ...paths(children),
  ])
const addresses = paths(routes).flatMap((path) =>
  (tabs[path] ?? [{ tab: '' }]).map(({ tab }) =>
    path
      .replace('/:tab?', tab && `/${tab}`)
      .replace('/:kind?', '/failed-deployment')
      .replace(':kind', 'local')
      .replaceAll(/:id\??/g, '17'),
  ),
)

/** Until the page has read what it shows. */
async function untilRead({ sent }: FakeService): Promise<void> {
  let count = -1
  for (let turns = 0; turns < 20 && count !== sent.length; turns++) {
    count = sent.length
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Elements that show the name of a group where its path is seen anyway: the tree, and the groups below the open one. */
const places = '[role=tree], [role=treegrid], [role=navigation], nav'

/** Columns that screen readers announce without a title. */
const listUntitled = () =>
  [...document.querySelectorAll('th, [role=columnheader]')]
    .filter((head) => !head.textContent?.trim() && !head.matches('[aria-label]') && !head.querySelector('[aria-label]'))
    .map(({ outerHTML }) => outerHTML)

const works = '%s is shown, with a title for each column, and names the groups to which it leads by their paths'

test.each([...new Set(addresses)])(works, async (address) => {
  const service = fakeService()
  await openPage(address)
  await waitFor(() => expect(document.querySelector('main h1')).not.toBeNull())
  await untilRead(service)
  // A page that fails would have no link and no column.
  expect(document.querySelector('main h1')?.textContent).not.toBe(en.shell.pageFault)
  expect(listUntitled()).toEqual([])

  const links = [...document.querySelectorAll<HTMLElement>('main a[href^="/groups/"]')]
  const withoutPath = links
    .filter((link) => !link.closest(places) && link.textContent !== '' && !link.textContent.includes('/'))
    .map(({ textContent }) => textContent)
  expect(withoutPath).toEqual([])
  service.unexpected.length = 0
})

/** What the contract answers without a path. Pages do not show it, or look the path up. */
const withoutPath = [
  'GET /api/computer/{id}/groups',
  'GET /api/computer/{id}/packages/{packageId}/groups',
  'GET /api/pmgroup/{id}/emergency-patching',
  'POST /api/pmgroup/{id}/emergency-patching',
]

/** Objects in an answer that have the id and a name of a group, but not its path. */
function listUnplaced(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  const names = Object.keys(value)
  const isGroup = names.includes('groupId') && (names.includes('name') || names.includes('groupName'))
  // The name of a rollout is its own.
  const isUnplaced = isGroup && !names.includes('rolloutId') && !names.some((name) => /path/i.test(name))
  return [...(isUnplaced ? [value] : []), ...Object.values(value).flatMap(listUnplaced)]
}

test('every answer that names a group has its path, except those of the contract, which no page shows', () => {
  const unplaced = inject('exampleOperations').filter(({ answer }) => listUnplaced(answer).length > 0)

  expect(unplaced.map(({ name }) => name).sort()).toEqual(withoutPath.toSorted())
})

test('groups are chosen in the fields that show paths, and in no other', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const reading = files.filter((file) =>
    /api\.GET\('\/api\/(fleet\/groups|fleet\/computers\/groups|group)'/.test(readFileSync(join(sources, file), 'utf8')),
  )
  const naming = files.filter((file) => /\bgroupName\b/.test(readFileSync(join(sources, file), 'utf8')))

  expect(reading).toEqual(['components/group-choice.tsx'])
  expect(naming).toEqual([])
})
