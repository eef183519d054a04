import { posix } from 'node:path'
import GithubSlugger from 'github-slugger'
import { Marked, type Tokens } from 'marked'

export type Heading = { id: string; title: string; depth: number }

export type RenderedDocument = {
  /** Its path in `docs`, such as guides/console.md. */
  path: string
  title: string
  headings: Heading[]
  html: string
  /** The files that it shows or links, other than documents: their paths in `docs`. */
  files: string[]
}

/** Where a document of `docs` lies among the pages of the help. */
export const pagePath = (path: string) => path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html')

/**
 * Renders a document. Links lead to the pages of other documents; what lies outside of `docs`, such as an example, is not served with the
 * help, so only its name remains.
 */
export function renderDocument(path: string, markdown: string): RenderedDocument {
  const headings: Heading[] = []
  const files: string[] = []
  const slugger = new GithubSlugger()
  const inDocs = (href: string) => posix.normalize(posix.join(posix.dirname(path), href))
  const file = (href: string) => {
    if (!isExternal(href)) files.push(inDocs(href))
    return href
  }
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const title = unescapeHtml(this.parser.parseInline(tokens, this.parser.textRenderer))
        const id = slugger.slug(title)
        headings.push({ id, title, depth })
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens)
        if (isExternal(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${text}</a>`
        const [target = '', anchor] = href.split('#')
        const suffix = anchor === undefined ? '' : `#${anchor}`
        if (target === '') return `<a href="${suffix}">${text}</a>`
        if (inDocs(target).startsWith('../')) return text
        const isDocument = target.endsWith('.md')
        return `<a href="${escapeHtml((isDocument ? pagePath(target) : file(target)) + suffix)}">${text}</a>`
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(file(href))}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        for (const [, address = ''] of text.matchAll(/\bsrc(?:set)?="([^"]+)"/g)) file(address)
        return text
      },
      code({ text, lang }: Tokens.Code) {
        // Long lines scroll, also by keyboard.
        const language = lang ? ` data-language="${escapeHtml(lang)}"` : ''
        return `<pre tabindex="0"${language}><code>${escapeHtml(text)}\n</code></pre>\n`
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>\n${body}\n</tbody></table></div>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { path, title: headings[0]?.title ?? path, headings, html, files }
}

const isExternal = (href: string) => /^[a-z][a-z+.-]*:/i.test(href)

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (one) => entities[one] ?? one)

function unescapeHtml(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
}
