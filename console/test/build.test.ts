import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const built = join(import.meta.dirname, '../dist')
const index = await readFile(join(built, 'index.html'), 'utf8')
const assets = await readdir(join(built, 'assets'))

test('every file has a hash in its name, and lies there compressed', async () => {
  const files = assets.filter((name) => /\.(js|css|svg)$/.test(name))

  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    expect(file).toMatch(/-[\w-]{8}\.\w+$/)
    expect(assets).toEqual(expect.arrayContaining([`${file}.br`, `${file}.gz`]))
  }
})

test('the page contains no inline script and no inline style, which the content security policy forbids', () => {
  expect(index).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
  expect(index).toContain('content="__CSP_NONCE__"')
})

type Chunk = { file: string; src?: string; imports?: string[]; css?: string[] }

test('the first load of any page in any language is below 300 kB, even with gzip', async () => {
  const manifest = JSON.parse(await readFile(join(built, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const filesOf = (name: string): string[] => {
    const { file, css = [], imports = [] } = manifest[name] as Chunk
    return [file, ...css, ...imports.flatMap(filesOf)]
  }
  const sizeOf = async (names: string[]) => {
    const files = new Set(names.flatMap(filesOf))
    const sizes = await Promise.all([...files].map(async (file) => (await stat(join(built, `${file}.gz`))).size))
    return sizes.reduce((sum, size) => sum + size, index.length)
  }

  const pages = Object.keys(manifest).filter((name) => name.endsWith('-page.tsx'))
  const languages = Object.keys(manifest).filter((name) => /texts\/..\.ts$/.test(name))
  const loads = pages.flatMap((page) => languages.map((language) => ['index.html', page, language]))
  const sizes = await Promise.all(loads.map(sizeOf))

  // Each page is a file of its own, and so is each language.
  expect(pages.length).toBeGreaterThan(20)
  expect(languages.length).toBe(2)
  expect(Math.max(...sizes)).toBeLessThan(300_000)
})
