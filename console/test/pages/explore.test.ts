import { test, beforeEach, vi } from 'vitest'
import { appendFileSync } from 'node:fs'
import { pageFilters } from '../../src/shell/page-filters.ts'
import { fakeService, openPage, screen } from '../world/open-page.tsx'
beforeEach(() => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  return () => printed.mockRestore()
})
const all = Object.entries(pageFilters).flatMap(([path, names = []]) => names.map((n) => [path, n] as const))
const value = 'zz4711'
test.each(all)('%s %s', async (path, name) => {
  const service = fakeService()
  const address = path.replaceAll(/\/:\w+\?/g, '').replace('/patch-groups/:id', '/patch-groups/3').replaceAll(/:\w+/g, '17')
  await openPage(`${address}?${name}=${value}`)
  await new Promise((r) => setTimeout(r, 700))
  const notice = document.body.textContent?.includes('no filter “')
  const sent = service.sent.filter((r) => JSON.stringify([r.path, [...r.query], r.body]).includes(value)).map((r) => r.name)
  appendFileSync('/tmp/explore.txt', `${path}\t${name}\t${notice ? 'NOTICE' : ''}\t${sent.join(',')}\n`)
  service.unexpected.length = 0
  void screen
})
