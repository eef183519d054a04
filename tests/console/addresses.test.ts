import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { consoleSections } from '../../server/src/web/console-files.ts'

test('the service answers the address of every page with the console, so a page can be opened again and be linked to', () => {
  const routes = readFileSync(join(import.meta.dirname, '../../console/src/shell/routes.tsx'), 'utf8')
  const segments = [...routes.matchAll(/\bpage\(\s*'\/([\w-]+)/g)].map(([, segment = '']) => segment)

  expect(segments.length).toBeGreaterThan(20)
  expect([...new Set(segments)].sort()).toEqual(consoleSections.toSorted())
})
