import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { jsx, jsxs } from '../src/visible-texts/jsx-runtime.ts'

const hostile = 'report\u202egnp.exe'
const shown = 'report\\u202egnp.exe'
const htmlOf = renderToStaticMarkup

test.each([
  ['a text', jsx('p', { children: hostile }), `<p>${shown}</p>`],
  ['a text among others', jsxs('p', { children: ['Delete ', hostile, 7] }), `<p>Delete ${shown}7</p>`],
  ['a text in a list', jsx('p', { children: [[hostile], null] }), `<p>${shown}</p>`],
  ['a title', jsx('p', { title: hostile }), `<p title="${shown}"></p>`],
  ['a name for screen readers', jsx('p', { 'aria-label': hostile }), `<p aria-label="${shown}"></p>`],
  ['a placeholder', jsx('input', { placeholder: hostile }), `<input placeholder="${shown}"/>`],
  [
    'a value that nobody can edit',
    jsx('input', { value: hostile, readOnly: true }),
    `<input readOnly="" value="${shown}"/>`,
  ],
  ['an option', jsx('option', { value: hostile, children: hostile }), `<option value="${hostile}">${shown}</option>`],
])('%s is shown with its deceptive characters as escapes', (_, element, html) => {
  expect(htmlOf(element)).toBe(html)
})

const Link = (props: { children?: string; title?: string }) => createElement('a', props)

test('a library that makes elements without JSX gets texts that can be shown', () => {
  expect(htmlOf(jsx(Link, { children: hostile, title: hostile }))).toBe(`<a title="${shown}">${shown}</a>`)
})

test.each([
  ['a value that is edited', jsx('input', { defaultValue: hostile }), `<input value="${hostile}"/>`],
  ['an address', jsx('a', { href: hostile }), `<a href="${hostile}"></a>`],
  ['code', jsx('style', { children: 'a{}\u200b' }), '<style>a{}\u200b</style>'],
])('%s stays exact', (_, element, html) => {
  expect(htmlOf(element)).toBe(html)
})

test('line breaks and joined characters stay', () => {
  const text = 'Müller\n\tمی‌خواهم 👩‍💻'

  expect(htmlOf(jsx('pre', { children: text })).replace(/<\/?(bdi|pre)>/g, '')).toBe(text)
})

test.each([
  ['Delete שלום, 3 computers', 'Delete <bdi>שלום</bdi>, 3 computers'],
  ['שלום עולם 7 (1.2)', '<bdi>שלום עולם</bdi> 7 (1.2)'],
  ['مكتب 12 برلين: 4', '<bdi>مكتب 12 برلين</bdi>: 4'],
  ['אבג, דהו', '<bdi>אבג</bdi>, <bdi>דהו</bdi>'],
])('words from right to left do not move what stands beside them: %s', (text, html) => {
  expect(htmlOf(jsx('p', { children: text }))).toBe(`<p>${html}</p>`)
})

test('a long hostile text takes no long time', () => {
  const texts = ['\u202e', 'א ', 'א1', '\u0610', '\ud800'].map((part) => part.repeat(65_536 / part.length))
  const start = performance.now()

  for (const text of texts) jsx('p', { children: text, title: text })

  expect(performance.now() - start).toBeLessThan(2_000)
})
