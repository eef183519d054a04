import { Unreadable } from './unreadable.ts'

/** An element without children is its text; one that stands several times beside itself is a list. */
export type XmlValue = string | XmlElement | (string | XmlElement)[]
export type XmlElement = { [name: string]: XmlValue }

/** Five are what agents send. */
const deepest = 16
/** The largest report that was seen has 40,000. */
const mostElements = 400_000
const longestName = 100

type Open = { name: string; children: XmlElement | undefined; text: string }

const [slash, mark, end] = ['/', '!', '>'].map((text) => text.charCodeAt(0))

/**
 * Reads the XML of agents: elements and text. There is no DOCTYPE, and so there are no entities besides the five of XML
 * itself. Attributes, and text beside elements, are skipped. Elements whose lower-case name is in `ignored` are read
 * over, and nothing of them is kept. The result has the root element under its lower-case name.
 */
export function readXml(xml: string, ignored: ReadonlySet<string>): XmlElement {
  const root: Open = { name: '', children: undefined, text: '' }
  const stack: Open[] = [root]
  const names = new Map<string, string>()
  let [top, at, count] = [root, skipDeclaration(xml), 0]
  /** How many elements were open when an ignored one began; 0 outside of such. */
  let mutedAt = 0
  for (let tag = xml.indexOf('<', at); tag >= 0; tag = xml.indexOf('<', at)) {
    const kind = xml.charCodeAt(tag + 1)
    if (stack.length === 1 && !isBlank(xml, at, tag)) throw new Unreadable('XML: text outside of the root')
    if (kind === slash) {
      const { name, children, text } = top
      if (stack.length === 1 || !xml.startsWith(name, tag + 2)) throw new Unreadable('XML: tags do not match')
      const value = mutedAt > 0 ? '' : (children ?? text + decoded(xml.slice(at, tag)))
      at = endOfClosingTag(xml, tag + 2 + name.length)
      stack.pop()
      top = stack.at(-1) ?? root
      if (mutedAt === 0) append(top, lowerCase(names, name), value)
      else if (mutedAt === stack.length) mutedAt = 0
      continue
    }
    if (kind === mark) {
      const [next, text] = skipMarkup(xml, tag)
      top.text += decoded(xml.slice(at, tag)) + text
      at = next
      continue
    }
    const name = nameAt(xml, tag + 1)
    if (++count > mostElements) throw new Unreadable('XML: too many elements')
    if (stack.length > deepest) throw new Unreadable('XML: too deep')
    if (stack.length === 1 && root.children) throw new Unreadable('XML: more than one root')
    const [next, isEmpty] = skipAttributes(xml, tag + 1 + name.length)
    const close = isEmpty ? next : endOfLeaf(xml, next, name)
    const key = lowerCase(names, name)
    at = close > 0 ? afterLeaf(close, isEmpty, name) : next
    const isIgnored = mutedAt > 0 || ignored.has(key)
    if (close > 0) {
      if (!isIgnored) append(top, key, isEmpty ? '' : decoded(xml.slice(next, close)))
      continue
    }
    if (isIgnored && mutedAt === 0) mutedAt = stack.length
    top = { name, children: undefined, text: '' }
    stack.push(top)
  }
  if (stack.length > 1 || !root.children) throw new Unreadable('XML: it ends too early')
  if (!isBlank(xml, at, xml.length)) throw new Unreadable('XML: text outside of the root')
  return root.children
}

function skipDeclaration(xml: string): number {
  const start = xml.charCodeAt(0) === 0xfeff ? 1 : 0
  const [declaration = ''] = /^\s*<\?xml[^<>]{0,200}\?>/.exec(xml.slice(start, start + 300)) ?? []
  return start + declaration.length
}

function isBlank(xml: string, from: number, to: number): boolean {
  return xml.slice(from, to).trim() === ''
}

function skipMarkup(xml: string, at: number): [next: number, text: string] {
  if (xml.startsWith('<!--', at)) return [3 + position(xml, '-->', at + 4), '']
  if (!xml.startsWith('<![CDATA[', at)) throw new Unreadable('XML: declarations are not taken')
  const close = position(xml, ']]>', at + 9)
  return [close + 3, xml.slice(at + 9, close)]
}

function position(xml: string, text: string, from: number): number {
  const found = xml.indexOf(text, from)
  if (found < 0) throw new Unreadable('XML: it ends too early')
  return found
}

function nameAt(xml: string, start: number): string {
  let at = start
  while (isNameCharacter(xml.charCodeAt(at))) at++
  const first = xml.charCodeAt(start)
  if (at === start || at - start > longestName || first < 65) throw new Unreadable('XML: a name is not one')
  return xml.slice(start, at)
}

/** Letters, digits, and of the others `_`, `-` and `.`. */
function isNameCharacter(code: number): boolean {
  if (code >= 97) return code <= 122
  if (code >= 65) return code <= 90 || code === 95
  return (code >= 48 && code <= 57) || code === 45 || code === 46
}

const attributePattern = /\s+[A-Za-z_:][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*')/y
const endPattern = /\s*(\/?)>/y

function skipAttributes(xml: string, from: number): [next: number, isEmpty: boolean] {
  if (xml.charCodeAt(from) === end) return [from + 1, false]
  let at = from
  for (attributePattern.lastIndex = at; attributePattern.test(xml); ) at = attributePattern.lastIndex
  endPattern.lastIndex = at
  const found = endPattern.exec(xml)
  if (!found) throw new Unreadable('XML: a tag does not end')
  return [endPattern.lastIndex, found[1] === '/']
}

/** Where the text of an element ends that has nothing else in it; 0 where it may have more. Most elements are like this. */
function endOfLeaf(xml: string, from: number, name: string): number {
  const close = xml.indexOf('<', from)
  const isLeaf =
    xml.charCodeAt(close + 1) === slash &&
    xml.charCodeAt(close + 2 + name.length) === end &&
    xml.startsWith(name, close + 2)
  return isLeaf ? close : 0
}

function afterLeaf(close: number, isEmpty: boolean, name: string): number {
  return isEmpty ? close : close + 3 + name.length
}

function endOfClosingTag(xml: string, from: number): number {
  if (xml.charCodeAt(from) === end) return from + 1
  endPattern.lastIndex = from
  if (endPattern.exec(xml)?.[1] !== '') throw new Unreadable('XML: tags do not match')
  return endPattern.lastIndex
}

function lowerCase(names: Map<string, string>, name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  // Names that every object has already.
  if (lower === '__proto__' || lower === 'constructor') throw new Unreadable('XML: a name is not taken')
  names.set(name, lower)
  return lower
}

function append(parent: Open, name: string, value: string | XmlElement): void {
  parent.children ??= {}
  const before = parent.children[name]
  if (before === undefined) parent.children[name] = value
  else if (Array.isArray(before)) before.push(value)
  else parent.children[name] = [before, value]
}

const entities = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }))

function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,12});?/g, (whole, name: string) => {
    const entity = whole.endsWith(';') ? (entities.get(name) ?? character(name)) : undefined
    if (entity === undefined) throw new Unreadable('XML: an unknown entity')
    return entity
  })
}

function character(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  // XML has no NUL and no halves of characters.
  if (!(code > 0 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined
  return String.fromCodePoint(code)
}
