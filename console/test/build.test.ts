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

type Chunk = { file: string; imports?: string[] }

test('the scripts of the first view are below 300 kB in any language, even with gzip, and those of any other page below 355 kB', async () => {
  const manifest = JSON.parse(await readFile(join(built, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const scriptsOf = (name: string): string[] => {
    const { file, imports = [] } = manifest[name] as Chunk
    return [file, ...imports.flatMap(scriptsOf)]
  }
  const sizeOf = async (names: string[]) => {
    const files = new Set(names.flatMap(scriptsOf))
    const sizes = await Promise.all([...files].map(async (file) => (await stat(join(built, `${file}.gz`))).size))
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  const pages = Object.keys(manifest).filter((name) => name.endsWith('-page.tsx'))
  const languages = Object.keys(manifest).filter((name) => /texts\/..\.ts$/.test(name))
  const largestOf = async (page: string[]) =>
    Math.max(...(await Promise.all(languages.map((language) => sizeOf(['index.html', ...page, language])))))

  // Each page is a file of its own, and so is each language.
  expect(pages.length).toBeGreaterThan(20)
  expect(languages.length).toBe(2)
  const drawing = 'src/charts/trend-drawing.tsx'
  expect(await largestOf(['src/pages/overview/overview-page.tsx', drawing])).toBeLessThan(300_000)
  for (const page of pages) expect(await largestOf([page]), page).toBeLessThan(355_000)
})
