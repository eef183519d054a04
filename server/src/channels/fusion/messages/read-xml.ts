import { Unreadable } from './unreadable-error.ts'

/** An element without children is its text; one that stands several times beside itself is a list. */
export type XmlValue = string | XmlElement | (string | XmlElement)[]
export type XmlElement = { [name: string]: XmlValue }

/** Five are what agents send. */
const deepest = 16
/** The largest report that was seen has 40,000. */
const mostElements = 400_000
const longestName = 100

type Open = { name: string; children: XmlElement | undefined; text: string }

/** What is known of a name that was met before, and which one came after it then. */
type Name = { text: string; key: string; isIgnored: boolean; next: Name | undefined }

const [slash, mark, end] = ['/', '!', '>'].map((text) => text.charCodeAt(0))

/**
 * Reads the XML of agents: elements and text. There is no DOCTYPE, and so there are no entities besides the five of XML
 * itself. Attributes, and text beside elements, are skipped. Elements whose lower-case name is in `ignored` are read
 * over, and nothing of them is kept. The result has the root element under its lower-case name.
 */
export function readXml(xml: string, ignored: ReadonlySet<string>): XmlElement {
  const root: Open = { name: '', children: undefined, text: '' }
  const stack: Open[] = [root]
  const names = new Map<string, Name>()
  let [top, at, count] = [root, skipDeclaration(xml), 0]
  let last: Name | undefined
  for (let tag = xml.indexOf('<', at); tag >= 0; tag = xml.indexOf('<', at)) {
    const kind = xml.charCodeAt(tag + 1)
    if (stack.length === 1 && !isBlank(xml, at, tag)) throw new Unreadable('XML: text outside of the root')
    if (kind === slash) {
      const { name, children, text } = top
      if (stack.length === 1 || !xml.startsWith(name, tag + 2)) throw new Unreadable('XML: tags do not match')
      const value = children ?? text + decoded(xml.slice(at, tag))
      at = endOfClosingTag(xml, tag + 2 + name.length)
      stack.pop()
      top = stack.at(-1) ?? root
      append(top, nameOf(names, name, ignored).key, value)
    } else if (kind === mark) {
      const [next, text] = skipMarkup(xml, tag)
      top.text += decoded(xml.slice(at, tag)) + text
      at = next
    } else {
      if (++count > mostElements) throw new Unreadable('XML: too many elements')
      if (stack.length > deepest) throw new Unreadable('XML: too deep')
      if (stack.length === 1 && root.children) throw new Unreadable('XML: more than one root')
      const { name, next, isEmpty } = openingTag(xml, tag, names, ignored, last?.next)
      if (last) last.next = name
      last = name
      const close = isEmpty ? next : endOfText(xml, next, name)
      at = isEmpty ? next : close + name.text.length + 3
      if (close > 0) {
        if (!name.isIgnored) append(top, name.key, isEmpty ? '' : decoded(xml.slice(next, close)))
        continue
      }
      at = next
      top = { name: name.text, children: undefined, text: '' }
      stack.push(top)
    }
  }
  if (stack.length > 1 || !root.children) throw new Unreadable('XML: it ends too early')
  if (!isBlank(xml, at, xml.length)) throw new Unreadable('XML: text outside of the root')
  return root.children
}

type Tag = { name: Name; next: number; isEmpty: boolean }

/** Nearly all tags are a name and nothing else, and mostly the one that came here the last time. */
function openingTag(
  xml: string,
  tag: number,
  names: Map<string, Name>,
  ignored: ReadonlySet<string>,
  expected: Name | undefined,
): Tag {
  if (expected && isTag(xml, tag, expected.text))
    return { name: expected, next: tag + expected.text.length + 2, isEmpty: false }
  const name = nameOf(names, nameAt(xml, tag + 1), ignored)
  const [next, isEmpty] = skipAttributes(xml, tag + 1 + name.text.length)
  return { name, next, isEmpty }
}

function isTag(xml: string, tag: number, name: string): boolean {
  return xml.charCodeAt(tag + 1 + name.length) === end && xml.startsWith(name, tag + 1)
}

/** Where an element ends that has only text in it, or that is ignored, whatever it has; 0 where it may have more. */
function endOfText(xml: string, from: number, { text: name, isIgnored }: Name): number {
  if (isIgnored) return position(xml, `</${name}>`, from)
  const close = xml.indexOf('<', from)
  const isLeaf =
    xml.charCodeAt(close + 1) === slash &&
    xml.charCodeAt(close + 2 + name.length) === end &&
    xml.startsWith(name, close + 2)
  return isLeaf ? close : 0
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

function endOfClosingTag(xml: string, from: number): number {
  if (xml.charCodeAt(from) === end) return from + 1
  endPattern.lastIndex = from
  if (endPattern.exec(xml)?.[1] !== '') throw new Unreadable('XML: tags do not match')
  return endPattern.lastIndex
}

function nameOf(names: Map<string, Name>, text: string, ignored: ReadonlySet<string>): Name {
  const known = names.get(text)
  if (known) return known
  const key = text.toLowerCase()
  // Names that every object has already.
  if (key === '__proto__' || key === 'constructor') throw new Unreadable('XML: a name is not taken')
  const name = { text, key, isIgnored: ignored.has(key), next: undefined }
  names.set(text, name)
  return name
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
