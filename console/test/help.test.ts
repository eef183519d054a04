import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'

const built = join(import.meta.dirname, '../dist/help')

const files = readdirSync(built, { recursive: true, encoding: 'utf8' })
const pages = new Map(
  files.filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(join(built, file), 'utf8')]),
)
const docs = join(import.meta.dirname, '../../docs')
const documents = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))

/** The addresses in a page, with its own files and pages as paths below the help. */
function* linksOf([page, html]: [string, string]) {
  for (const [, address = ''] of html.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)) {
    if (/^[a-z]+:/.test(address) || address === '/') continue
    const [path = '', anchor] = address.split('#')
    yield { page, address, target: path === '' ? page : posix.join(posix.dirname(page), path), anchor }
  }
}

test('every document is a page of the help', () => {
  expect(pages.size).toBe(documents.length)
  expect(pages.size).toBeGreaterThan(100)
})

test('every link, image and anchor of the help leads to something that the help has', () => {
  const links = [...pages].flatMap((page) => [...linksOf(page)])
  const broken = links.filter(
    ({ target, anchor }) =>
      !files.includes(target) ||
      (anchor !== undefined && anchor !== '' && !pages.get(target)?.includes(` id="${anchor}"`)),
  )

  expect(links.length).toBeGreaterThan(5_000)
  expect(broken.map(({ page, address }) => `${page}: ${address}`)).toEqual([])
})

test('no page of the help has an inline script or style, and none loads something from another host', () => {
  for (const [page, html] of pages) {
    const text = html.replaceAll(/<code>[\s\S]*?<\/code>/g, '')
    expect(text, page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
    expect(text, page).not.toMatch(/\s(?:src|srcset)="(?:[a-z]+:)?\/\//)
  }
})

test('every page of the help lies beside its compressed versions', () => {
  for (const page of pages.keys()) expect(files).toEqual(expect.arrayContaining([`${page}.br`, `${page}.gz`]))
})
