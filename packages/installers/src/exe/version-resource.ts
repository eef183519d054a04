import { toLine } from '../texts.ts'

export type VersionResource = { texts: Record<string, string>; fileVersion?: string; productVersion?: string }

export const maxVersionResourceBytes = 256 * 1024
const fixedInfoSignature = 0xfeef04bd
const maxNodes = 2_000

type Node = { key: string; isText: boolean; value: Buffer; children: Buffer }

/**
 * Reads the version resource of a program: a tree of nodes with a length, a key, a value and children. Of several languages,
 * the first counts. What is not readable is left out.
 */
export function parseVersionResource(bytes: Buffer): VersionResource {
  const budget = { nodes: maxNodes }
  const [root] = parseNodes(bytes, budget)
  if (root?.key !== 'VS_VERSION_INFO') return { texts: {} }
  const tables = parseNodes(root.children, budget)
    .filter(({ key }) => key === 'StringFileInfo')
    .flatMap(({ children }) => parseNodes(children, budget))
  const texts = tables.slice(0, 1).flatMap(({ children }) => parseNodes(children, budget))
  return {
    texts: Object.fromEntries(
      texts
        .filter(({ key }) => /^[A-Za-z][\w ]{0,99}$/.test(key))
        .map(({ key, value }) => [key, toLine(textOf(value))]),
    ),
    ...fixedVersions(root.value),
  }
}

const textOf = (value: Buffer) => value.toString('utf16le').replace(/\0.*$/s, '')

function fixedVersions(info: Buffer): Pick<VersionResource, 'fileVersion' | 'productVersion'> {
  if (info.length < 24 || info.readUInt32LE() !== fixedInfoSignature) return {}
  const at = (position: number) => [2, 0, 6, 4].map((offset) => info.readUInt16LE(position + offset)).join('.')
  return { fileVersion: at(8), productVersion: at(16) }
}

const aligned = (position: number) => (position + 3) & ~3

function parseNodes(bytes: Buffer, budget: { nodes: number }): Node[] {
  const nodes: Node[] = []
  for (let at = 0; at + 6 <= bytes.length && budget.nodes-- > 0; ) {
    const length = bytes.readUInt16LE(at)
    if (length < 6) break
    nodes.push(parseNode(bytes.subarray(at, at + length)))
    at = aligned(at + length)
  }
  return nodes
}

function parseNode(node: Buffer): Node {
  const [valueLength, isText] = [node.readUInt16LE(2), node.readUInt16LE(4) === 1]
  let end = 6
  while (end + 2 <= node.length && node.readUInt16LE(end) !== 0) end += 2
  const valueStart = aligned(end + 2)
  // The length of a text counts characters, but some compilers count bytes. Strings have no children.
  const valueEnd = isText ? node.length : valueStart + valueLength
  return {
    key: node.toString('utf16le', 6, end),
    isText,
    value: node.subarray(valueStart, valueEnd),
    children: isText && valueLength > 0 ? Buffer.alloc(0) : node.subarray(isText ? valueStart : aligned(valueEnd)),
  }
}
