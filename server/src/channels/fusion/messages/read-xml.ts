import { UnreadableError } from './unreadable-error.ts'

/** An element without children is its text. Elements of the same name in one parent are a list. */
export type XmlValue = string | XmlElement | (string | XmlElement)[]
export type XmlElement = { [name: string]: XmlValue }

/** Agents send five levels. */
const maxDepth = 16
/** The largest report so far has 40,000 elements. */
const maxElements = 400_000
const maxNameLength = 100

type OpenElement = { name: string; children: XmlElement | undefined; text: string }

/** A name that has occurred before, with the name that followed it then: reports repeat their structure. */
type Name = { text: string; key: string; isIgnored: boolean; next: Name | undefined }

const [slash, mark, end] = ['/', '!', '>'].map((text) => text.charCodeAt(0))

/**
 * Reads the XML of agents: elements and text. It refuses a DOCTYPE, so only the five entities of XML itself exist. It skips
 * attributes, text beside elements, and elements whose lower-case name is in `ignored`. The result has the root element
 * under its lower-case name.
 */
export function readXml(xml: string, ignored: ReadonlySet<string>): XmlElement {
  const root: OpenElement = { name: '', children: undefined, text: '' }
  const stack: OpenElement[] = [root]
  const names = new Map<string, Name>()
  let [top, at, count] = [root, skipDeclaration(xml), 0]
  let last: Name | undefined
  for (let tag = xml.indexOf('<', at); tag >= 0; tag = xml.indexOf('<', at)) {
    const kind = xml.charCodeAt(tag + 1)
    if (stack.length === 1 && !isBlank(xml, at, tag)) throw new UnreadableError('XML: text outside of the root')
    if (kind === slash) {
      const { name, children, text } = top
      if (stack.length === 1 || !xml.startsWith(name, tag + 2)) throw new UnreadableError('XML: tags do not match')
      const value = children ?? text + decodeEntities(xml.slice(at, tag))
      at = skipClosingTag(xml, tag + 2 + name.length)
      stack.pop()
      top = stack.at(-1) ?? root
      append(top, internName(names, name, ignored).key, value)
    } else if (kind === mark) {
      const [next, text] = skipMarkup(xml, tag)
      top.text += decodeEntities(xml.slice(at, tag)) + text
      at = next
    } else {
      if (++count > maxElements) throw new UnreadableError('XML: too many elements')
      if (stack.length > maxDepth) throw new UnreadableError('XML: too deep')
      if (stack.length === 1 && root.children) throw new UnreadableError('XML: more than one root')
      const { name, next, isEmpty } = readOpeningTag(xml, tag, names, ignored, last?.next)
      if (last) last.next = name
      last = name
      const close = isEmpty ? next : findClosingTag(xml, next, name)
      at = isEmpty ? next : close + name.text.length + 3
      if (close > 0) {
        if (!name.isIgnored) append(top, name.key, isEmpty ? '' : decodeEntities(xml.slice(next, close)))
        continue
      }
      at = next
      top = { name: name.text, children: undefined, text: '' }
      stack.push(top)
    }
  }
  if (stack.length > 1 || !root.children) throw new UnreadableError('XML: it ends too early')
  if (!isBlank(xml, at, xml.length)) throw new UnreadableError('XML: text outside of the root')
  return root.children
}

type Tag = { name: Name; next: number; isEmpty: boolean }

/** Nearly all tags consist of a name only, and mostly it is the name that followed last time. */
function readOpeningTag(
  xml: string,
  tag: number,
  names: Map<string, Name>,
  ignored: ReadonlySet<string>,
  expected: Name | undefined,
): Tag {
  if (expected && isTag(xml, tag, expected.text))
    return { name: expected, next: tag + expected.text.length + 2, isEmpty: false }
  const name = internName(names, readName(xml, tag + 1), ignored)
  const [next, isEmpty] = skipAttributes(xml, tag + 1 + name.text.length)
  return { name, next, isEmpty }
}

function isTag(xml: string, tag: number, name: string): boolean {
  return xml.charCodeAt(tag + 1 + name.length) === end && xml.startsWith(name, tag + 1)
}

/** Where the closing tag begins, for an element that is ignored or contains only text; 0 when it may have children. */
function findClosingTag(xml: string, from: number, { text: name, isIgnored }: Name): number {
  if (isIgnored) return requirePosition(xml, `</${name}>`, from)
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
  if (xml.startsWith('<!--', at)) return [3 + requirePosition(xml, '-->', at + 4), '']
  if (!xml.startsWith('<![CDATA[', at)) throw new UnreadableError('XML: declarations are not allowed')
  const close = requirePosition(xml, ']]>', at + 9)
  return [close + 3, xml.slice(at + 9, close)]
}

function requirePosition(xml: string, text: string, from: number): number {
  const found = xml.indexOf(text, from)
  if (found < 0) throw new UnreadableError('XML: it ends too early')
  return found
}

function readName(xml: string, start: number): string {
  let at = start
  while (isNameCharacter(xml.charCodeAt(at))) at++
  const first = xml.charCodeAt(start)
  if (at === start || at - start > maxNameLength || first < 65) throw new UnreadableError('XML: a name is not valid')
  return xml.slice(start, at)
}

/** Letters, digits, `_`, `-` and `.`. */
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
  if (!found) throw new UnreadableError('XML: a tag is not closed')
  return [endPattern.lastIndex, found[1] === '/']
}

function skipClosingTag(xml: string, from: number): number {
  if (xml.charCodeAt(from) === end) return from + 1
  endPattern.lastIndex = from
  if (endPattern.exec(xml)?.[1] !== '') throw new UnreadableError('XML: tags do not match')
  return endPattern.lastIndex
}

function internName(names: Map<string, Name>, text: string, ignored: ReadonlySet<string>): Name {
  const existing = names.get(text)
  if (existing) return existing
  const key = text.toLowerCase()
  // Every object already has properties of these names.
  if (key === '__proto__' || key === 'constructor') throw new UnreadableError('XML: a name is not allowed')
  const name = { text, key, isIgnored: ignored.has(key), next: undefined }
  names.set(text, name)
  return name
}

function append(parent: OpenElement, name: string, value: string | XmlElement): void {
  parent.children ??= {}
  const existing = parent.children[name]
  if (existing === undefined) parent.children[name] = value
  else if (Array.isArray(existing)) existing.push(value)
  else parent.children[name] = [existing, value]
}

const entities = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }))

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,12});?/g, (whole, name: string) => {
    const entity = whole.endsWith(';') ? (entities.get(name) ?? decodeCharacter(name)) : undefined
    if (entity === undefined) throw new UnreadableError('XML: an unknown entity')
    return entity
  })
}

function decodeCharacter(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  // XML excludes NUL and surrogates.
  if (!(code > 0 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined
  return String.fromCodePoint(code)
}
