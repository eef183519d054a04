import { visibleLine } from '@muster/text'

/** HTML that was made by `html`. Everything else that is put into a page is text, and is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[]

const escapes: readonly (readonly [string, string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]

/** Texts come from packages, administrators and users: deceptive characters are shown as escapes. */
function escapeText(text: string): string {
  return escapes.reduce((escaped, [character, entity]) => escaped.replaceAll(character, entity), visibleLine(text))
}

function toText(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === false || part === null || part === undefined) return ''
  if (typeof part === 'object') return part.map(toText).join('')
  return escapeText(String(part))
}

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + toText(parts[index])).join(''))
}
