import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { descriptions, effects, unused } from './effects.ts'
import type { Effects } from './effects-type.ts'
import { listSettings } from './list-settings.ts'

const repository = join(import.meta.dirname, '../..')
const lists = [...effects, descriptions, unused]

const split = (names: string) => names.split(', ')

/** `owner: setting` for each setting of a list, as often as the list contains it. */
const settingsIn = (list: Effects) =>
  Object.entries(list).flatMap(([owners, settings]) =>
    split(owners).flatMap((owner) =>
      Object.keys(settings).flatMap((names) => split(names).map((name) => `${owner}: ${name}`)),
    ),
  )

const listed = lists.flatMap(settingsIn)
const owners = new Set(lists.flatMap((list) => Object.keys(list).flatMap(split)))
const existing = [...listSettings(owners)].flatMap(([owner, names]) => [...names].map((name) => `${owner}: ${name}`))

/** Whether the file has a test with this title. The title of `test.for` follows a closing parenthesis. */
function hasTest(file: string, title: string): boolean {
  const path = [join(repository, 'server/test', file), join(repository, file)].find((one) => existsSync(one))
  const code = path === undefined ? '' : readFileSync(path, 'utf8')
  return ["'", '`'].some((quote) => {
    const [before, after] = code.split(`${quote}${title}${quote},`)
    return after !== undefined && /(\btest|\binBrowser|\))\(\s*$/.test(before ?? '')
  })
}

test('every setting that the API or a manifest can store is listed once, with a test that proves its effect', () => {
  expect(existing.length).toBeGreaterThan(200)
  expect(existing.filter((setting) => !listed.includes(setting))).toEqual([])
  expect(listed.filter((setting, index) => listed.indexOf(setting) !== index)).toEqual([])
})

test('every listed setting exists', () => {
  expect(listed.filter((setting) => !existing.includes(setting))).toEqual([])
})

test('every test that is to prove an effect exists', () => {
  const tests = new Set(lists.flatMap((list) => Object.values(list).flatMap((settings) => Object.values(settings))))
  const missing = [...tests].filter((reference) => {
    const [file = ''] = reference.split(': ', 1)
    return !hasTest(file, reference.slice(file.length + 2))
  })

  expect(tests.size).toBeGreaterThan(70)
  expect(missing).toEqual([])
})

test('that a search finds a value is not its effect', () => {
  const isOnlyFound = (reference: string) => /(^|\/)search-|\bsearch\b|\bfiltered\b/.test(reference)
  const proofs = effects.flatMap((list) => Object.values(list).flatMap((settings) => Object.values(settings)))

  expect(isOnlyFound('packages/packages.test.ts: a search finds packages by a part of either name')).toBe(true)
  expect(proofs.filter(isOnlyFound)).toEqual([])
})

test('the check for tests finds titles of tests and nothing else', () => {
  const hasThis = (title: string) => hasTest('tests/settings/every-setting.test.ts', title)

  expect(hasThis('every listed setting exists')).toBe(true)
  expect(hasThis('no such test')).toBe(false)
  expect(hasThis('utf8')).toBe(false)
})
