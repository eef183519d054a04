import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { escapeHtml, pagePath, type RenderedDocument, renderDocument } from './render-document.ts'

const docs = join(import.meta.dirname, '../../../docs')

/** Every document: guides link to decisions, decisions to the reference, and so on. */
export async function renderAllDocuments(): Promise<RenderedDocument[]> {
  const paths = (await readdir(docs, { recursive: true })).filter((path) => path.endsWith('.md')).toSorted()
  return Promise.all(paths.map(async (path) => renderDocument(path, await readFile(join(docs, path), 'utf8'))))
}

/** A guide as the palette finds it. */
export type Guide = { address: string; title: string; sections: { id: string; title: string }[] }

export function listGuides(documents: readonly RenderedDocument[]): Guide[] {
  return documents
    .filter(({ path }) => path.startsWith('guides/') && !path.endsWith('README.md'))
    .map(({ path, title, headings }) => ({
      address: `/help/${pagePath(path)}`,
      title,
      sections: headings.filter(({ depth }) => depth === 2).map(({ id, title }) => ({ id, title })),
    }))
}

/** The files of the help with their contents, by their path below /help. */
export async function buildHelp(): Promise<Map<string, Buffer>> {
  const documents = await renderAllDocuments()
  const contents = await readContents()
  const files = new Map<string, Buffer>()
  for (const name of ['help.css', 'help.js']) files.set(name, await readFile(join(import.meta.dirname, 'assets', name)))
  files.set('muster.svg', await readFile(join(import.meta.dirname, '../../src/shell/muster.svg')))
  for (const document of documents) files.set(pagePath(document.path), Buffer.from(toPage(document, contents)))
  for (const path of new Set(documents.flatMap(({ files }) => files))) {
    // What is generated is missing until `npm run generate`; a link to it would lead nowhere.
    const content = await readFile(join(docs, path)).catch(() => undefined)
    if (content) files.set(path, content)
  }
  return files
}

type Chapter = { title: string; links: { path: string; title: string }[] }

/** The contents of the help: the lists of the index of the guides, under their headings. */
async function readContents(): Promise<Chapter[]> {
  const index = await readFile(join(docs, 'guides/README.md'), 'utf8')
  const chapters = index.split(/^## /m).slice(1)
  return chapters.flatMap((text) => {
    const [title = ''] = text.split('\n')
    const links = [...text.matchAll(/^- \[([^\]]+)\]\(([\w./-]+\.md)\)/gm)].map(([, title = '', href = '']) => ({
      title: title.replaceAll('`', ''),
      path: posix.normalize(posix.join('guides', href)),
    }))
    return links.length > 0 ? [{ title, links }] : []
  })
}

function toPage({ path, title, headings, html }: RenderedDocument, contents: readonly Chapter[]): string {
  const page = pagePath(path)
  const root = '../'.repeat(page.split('/').length - 1) || './'
  const links = (chapter: Chapter) =>
    chapter.links.map(({ path: other, title }) => {
      const current = other === path ? ' aria-current="page"' : ''
      return `<li><a href="${root}${pagePath(other)}"${current}>${escapeHtml(title)}</a></li>`
    })
  const chapters = contents.map(
    (chapter) => `<h2>${escapeHtml(chapter.title)}</h2>\n<ul>${links(chapter).join('')}</ul>`,
  )
  const sections = headings.filter(({ depth }) => depth === 2)
  const onThisPage =
    sections.length < 2
      ? ''
      : `<nav class="sections" aria-label="On this page"><h2>On this page</h2><ul>${sections
          .map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`)
          .join('')}</ul></nav>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${root}muster.svg">
<link rel="stylesheet" href="${root}help.css">
<script src="${root}help.js"></script>
<title>${escapeHtml(title)} · Muster</title>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><a class="home" href="${root}guides/index.html"><img src="${root}muster.svg" alt="" width="24" height="24"> Muster guides</a>
<a href="/">Open the console</a></header>
<div class="frame">
<details class="contents" open><summary>All guides</summary><nav aria-label="All guides">
${chapters.join('\n')}
</nav></details>
<main id="content">
${html}</main>
${onThisPage}
</div>
</body>
</html>
`
}
