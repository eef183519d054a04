/** Parts of a program for Windows, as small as the format allows. */
export type SampleProgram = {
  sections?: readonly { name: string; content: Buffer }[]
  resources?: readonly SampleResource[]
  /** What follows the program: the payload of an installer. Its position is known before. */
  overlay?: (position: number) => Buffer
  machine?: number
}

export type SampleResource = {
  type: number | string
  name: number | string
  /** The overlay begins at this position, which a resource may point to. */
  content: (overlayPosition: number) => Buffer
}

const [headersBytes, alignment] = [0x400, 0x200]
const resourceAddress = 0x100000

const aligned = (size: number) => Math.ceil(size / alignment) * alignment
const padded = (content: Buffer) => Buffer.concat([content, Buffer.alloc(aligned(content.length) - content.length)])

/** Makes a program with the given sections, resources and payload. */
export function makeProgram({ sections = [], resources = [], overlay, machine = 0x14c }: SampleProgram): Buffer {
  const build = (overlayPosition: number) => [
    ...sections.map(({ name, content }, index) => ({ name, content, address: 0x1000 * (index + 1) })),
    ...(resources.length === 0
      ? []
      : [{ name: '.rsrc', content: resourceSection(resources, overlayPosition), address: resourceAddress }]),
  ]
  // Resources of the same size are built twice: the first time to learn where the overlay begins.
  const sizes = build(0).map(({ content }) => aligned(content.length))
  const overlayPosition = sizes.reduce((sum, size) => sum + size, headersBytes)
  const built = build(overlayPosition)
  const headers = Buffer.alloc(headersBytes)
  headers.write('MZ')
  headers.writeUInt32LE(0x80, 0x3c)
  headers.write('PE\0\0', 0x80)
  headers.writeUInt16LE(machine, 0x84)
  headers.writeUInt16LE(built.length, 0x86)
  headers.writeUInt16LE(224, 0x94)
  headers.writeUInt16LE(0x10b, 0x98)
  headers.writeUInt32LE(16, 0x98 + 92)
  if (resources.length > 0) {
    headers.writeUInt32LE(resourceAddress, 0x98 + 96 + 16)
    headers.writeUInt32LE(built.at(-1)?.content.length ?? 0, 0x98 + 96 + 20)
  }
  let position = headersBytes
  for (const [index, { name, content, address }] of built.entries()) {
    const at = 0x98 + 224 + index * 40
    headers.write(name, at)
    headers.writeUInt32LE(content.length, at + 8)
    headers.writeUInt32LE(address, at + 12)
    headers.writeUInt32LE(aligned(content.length), at + 16)
    headers.writeUInt32LE(position, at + 20)
    position += aligned(content.length)
  }
  const contents = built.map(({ content }) => padded(content))
  return Buffer.concat([headers, ...contents, ...(overlay ? [overlay(overlayPosition)] : [])])
}

const isFolder = 0x80000000

/** A tree of types, names and one language, with one folder for each resource below the root. */
function resourceSection(resources: readonly SampleResource[], overlayPosition: number): Buffer {
  const rootBytes = 16 + resources.length * 8
  const branchBytes = 24 + 24 + 16
  const namesStart = rootBytes + resources.length * branchBytes
  const texts = resources.flatMap(({ type, name }) => [type, name].map((one) => (typeof one === 'string' ? one : '')))
  const names = texts.map((text) => {
    const name = Buffer.alloc(2 + text.length * 2)
    name.writeUInt16LE(text.length)
    name.write(text, 2, 'utf16le')
    return name
  })
  const nameAt = (index: number) => namesStart + Buffer.concat(names.slice(0, index)).length
  const contents = resources.map(({ content }) => content(overlayPosition))
  const contentsStart = Math.ceil(nameAt(names.length) / 8) * 8
  const contentAt = (index: number) => contentsStart + Buffer.concat(contents.slice(0, index)).length
  const tree = Buffer.alloc(contentsStart)
  for (const [index, name] of names.entries()) name.copy(tree, nameAt(index))
  const idOf = (value: number | string, index: number) => (typeof value === 'number' ? value : isFolder + nameAt(index))
  tree.writeUInt16LE(resources.length, 14)
  for (const [index, { type, name }] of resources.entries()) {
    const branch = rootBytes + index * branchBytes
    tree.writeUInt32LE(idOf(type, index * 2), 16 + index * 8)
    tree.writeUInt32LE(isFolder + branch, 20 + index * 8)
    tree.writeUInt16LE(1, branch + 14)
    tree.writeUInt32LE(idOf(name, index * 2 + 1), branch + 16)
    tree.writeUInt32LE(isFolder + branch + 24, branch + 20)
    tree.writeUInt16LE(1, branch + 38)
    tree.writeUInt32LE(1033, branch + 40)
    tree.writeUInt32LE(branch + 48, branch + 44)
    tree.writeUInt32LE(resourceAddress + contentAt(index), branch + 48)
    tree.writeUInt32LE(contents[index]?.length ?? 0, branch + 52)
  }
  return Buffer.concat([tree, ...contents])
}
