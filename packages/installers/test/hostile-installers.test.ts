import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  defaultInstallerLimits,
  InstallerFault,
  type InstallerLimits,
  proposeManifest,
  readInstaller,
} from '../src/index.ts'
import { makeBurn, makeInno, makeSevenZip, makeSquirrel } from './samples/families.ts'
import { openSampleFolder, requireTools } from './samples/folder.ts'
import { makeAppImage, makeDeb, makeRpm } from './samples/linux.ts'
import { requireValidManifest } from './samples/manifest.ts'
import { makeMsi } from './samples/msi.ts'
import { makeNsis, signProgram } from './samples/nsis.ts'
import { makeProgram } from './samples/program.ts'
import { makeZip } from './samples/zip.ts'

const folder = await openSampleFolder()
const samples = new Map<string, Buffer>()

beforeAll(async () => {
  requireTools()
  const msi = { name: 'Sample', version: '1.0.0', architecture: 'x64', scope: 'perMachine' } as const
  const files = {
    msi: await makeMsi(folder, msi),
    signed: await signProgram(folder, await makeNsis(folder)),
    debXz: await makeDeb(folder, 'xz'),
    debZstd: await makeDeb(folder, 'zstd'),
    debGzip: await makeDeb(folder, 'gzip'),
    rpm: await makeRpm(folder),
    appImage: await makeAppImage(folder, 'zstd'),
  }
  for (const [name, file] of Object.entries(files)) samples.set(name, await readFile(file))
  samples.set('burn', makeBurn())
  samples.set('squirrel', makeSquirrel())
  samples.set('inno', makeInno({ 0: 'Sample', 2: '{{1}', 9: '1' }))
  samples.set('sevenZip', makeSevenZip())
  samples.set('zip', makeZip([{ name: 'a/b.exe', content: 'x'.repeat(500), isDeflated: true }, { name: 'c' }]))
  const identity = '<Identity Name="Example.A" Publisher="CN=A" Version="1.0.0.0"/>'
  samples.set(
    'msix',
    makeZip([{ name: 'AppxManifest.xml', content: `<Package>${identity}</Package>`, isDeflated: true }]),
  )
  samples.set('tar', gzipSync(await tarOf([{ name: 'a/setup.exe', bytes: 10 }])))
}, 120_000)

/** A header of tar for each entry, and its content. */
async function tarOf(entries: readonly { name: string; bytes: number }[]): Promise<Buffer> {
  const blocks = entries.flatMap(({ name, bytes }) => [
    tarHeader(name, bytes),
    Buffer.alloc(Math.ceil(bytes / 512) * 512),
  ])
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

function tarHeader(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write(bytes.toString(8).padStart(11, '0'), 124)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write('        ', 148)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Small enough that a file which exceeds them is noticed at once. */
const limits: InstallerLimits = {
  ...defaultInstallerLimits,
  maxReadBytes: 8 * 1024 * 1024,
  maxUnpackedBytes: 4 * 1024 * 1024,
  maxEntries: 1_000,
  timeLimitMs: 5_000,
}

/** The facts, or the code of the fault. Any other error fails the test. */
async function tryToRead(content: Buffer, name = 'file'): Promise<string> {
  const file = folder.path(name)
  await writeFile(file, content)
  try {
    const facts = await readInstaller(file, limits)
    requireValidManifest(proposeManifest(facts).manifest)
    return facts.format
  } catch (error) {
    if (error instanceof InstallerFault) return error.code
    throw error
  }
}

const runs = Number(process.env.MUSTER_MODEL_RUNS ?? 40)

describe('any change of a file', () => {
  const sampleNames = [
    ...['msi', 'signed', 'debXz', 'debZstd', 'debGzip', 'rpm', 'appImage', 'burn', 'squirrel', 'inno', 'sevenZip'],
    ...['zip', 'msix', 'tar'],
  ]

  test.each(sampleNames)('of the kind %s leads to facts or to a declared fault, in time', async (name) => {
    const sample = samples.get(name) ?? Buffer.alloc(0)
    // Structures are at the beginning, at the end and at multiples of sectors.
    const position = fc.oneof(
      fc.nat(Math.min(4096, sample.length - 1)),
      fc.nat(sample.length - 1),
      fc.nat(1024).map((distance) => Math.max(0, sample.length - 1 - distance)),
    )
    const value = fc.constantFrom(0, 1, 0x7f, 0x80, 0xff, 0xfe)
    const change = fc.record({
      position,
      bytes: fc.array(fc.oneof(value, fc.nat(255)), { minLength: 1, maxLength: 8 }),
    })
    const length = fc.oneof(fc.constant(sample.length), fc.nat(sample.length))
    const property = fc.asyncProperty(fc.array(change, { maxLength: 12 }), length, async (changes, end) => {
      const content = Buffer.from(sample.subarray(0, end))
      for (const { position: at, bytes } of changes) Buffer.from(bytes).copy(content, Math.min(at, content.length))
      const start = performance.now()
      await tryToRead(content)
      expect(performance.now() - start).toBeLessThan(limits.timeLimitMs + 2_000)
    })

    await fc.assert(property, { numRuns: runs })
  })
})

describe('compound files', () => {
  /** Writes to the table of sectors: what follows a sector. */
  function withNext(msi: Buffer, sector: number, next: number): Buffer {
    const changed = Buffer.from(msi)
    const fat = changed.readUInt32LE(76)
    changed.writeUInt32LE(next, (fat + 1) * 512 + sector * 4)
    return changed
  }

  test('a directory that leads back to itself ends the reading', async () => {
    const msi = samples.get('msi') ?? Buffer.alloc(0)
    const directory = msi.readUInt32LE(48)

    expect(await tryToRead(withNext(msi, directory, directory))).toBe('damaged')
  })

  test('strings with lengths beyond their data end the reading', async () => {
    const msi = Buffer.from(samples.get('msi') ?? [])
    // The first string of the pool: after the code page, which wixl writes as UTF-8 or as none.
    const pools = [65_001, 0, 1252].map((page) => msi.indexOf(Buffer.from(new Uint16Array([page, 0]).buffer), 512))
    const results = []
    for (const pool of pools.filter((at) => at > 0)) {
      const changed = Buffer.from(msi)
      for (let at = pool + 4; at < pool + 400; at += 4) changed.writeUInt16LE(0xffff, at)
      results.push(await tryToRead(changed))
    }

    expect(results).toContain('damaged')
  })

  test('a table of sectors that is larger than the file ends the reading', async () => {
    const msi = Buffer.from(samples.get('msi') ?? [])
    msi.writeUInt32LE(0x00ffffff, 44)

    expect(await tryToRead(msi)).toBe('damaged')
  })
})

describe('programs', () => {
  test('resources that lead back to themselves leave the rest readable', async () => {
    const program = makeProgram({ resources: [{ type: 10, name: 1, content: () => Buffer.alloc(8) }] })
    const root = program.readUInt32LE(0x98 + 224 + 20)
    program.writeUInt32LE(0x80000000, root + 20)

    expect(await tryToRead(program)).toBe('exe')
  })

  test('a resource of four gigabytes is not read', async () => {
    const program = makeProgram({ resources: [{ type: 16, name: 1, content: () => Buffer.alloc(8) }] })
    const root = program.readUInt32LE(0x98 + 224 + 20)
    program.writeUInt32LE(0xffffffff, root + 24 + 48 + 4)

    expect(await tryToRead(program)).toBe('exe')
  })
})

describe('archives', () => {
  test('a file in a ZIP archive that unpacks to more than is allowed ends the reading', async () => {
    const content = Buffer.alloc(64 * 1024 * 1024, 0x20)
    const honest = makeZip([{ name: 'AppxManifest.xml', content, isDeflated: true }])
    const lying = makeZip([{ name: 'AppxManifest.xml', content, isDeflated: true, statedBytes: 1000 }])

    expect(await tryToRead(honest)).toBe('tooLarge')
    expect(['damaged', 'tooLarge']).toContain(await tryToRead(lying))
  })

  test('a tar archive that unpacks to more than is allowed is listed in part', async () => {
    const entries = Array.from({ length: 200 }, (_, index) => ({ name: `file${index}`, bytes: 1024 * 1024 }))
    const file = folder.path('bomb')
    await writeFile(file, gzipSync(await tarOf(entries)))

    expect(await readInstaller(file, limits)).toMatchObject({ format: 'tar', isComplete: false })
  }, 60_000)

  test('of ten million entries, only the first are looked at', async () => {
    const header = tarHeader('x', 0)
    const file = folder.path('many')
    const part = gzipSync(Buffer.concat(Array.from({ length: 50_000 }, () => header)))
    await writeFile(file, Buffer.concat(Array.from({ length: 200 }, () => part)))

    expect(await readInstaller(file, limits)).toMatchObject({ entryCount: limits.maxEntries, isComplete: false })
  })

  test('a control archive that unpacks to more than is allowed ends the reading', async () => {
    const control = gzipSync(await tarOf([{ name: 'padding', bytes: 32 * 1024 * 1024 }]))
    const member = (name: string, content: Buffer) =>
      Buffer.concat([
        Buffer.from(`${name.padEnd(16)}${'0'.padEnd(32)}${String(content.length).padEnd(10)}\`\n`),
        content,
        Buffer.alloc(content.length % 2),
      ])
    const deb = Buffer.concat([
      Buffer.from('!<arch>\n'),
      member('debian-binary', Buffer.from('2.0\n')),
      member('control.tar.gz', control),
    ])

    expect(await tryToRead(deb)).toBe('tooLarge')
  })

  test('an entry of a tar archive that is larger than any file ends the list', async () => {
    const header = tarHeader('huge', 0)
    header.write('77777777777', 124)
    header.write('        ', 148)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)

    expect(await tryToRead(header)).toBe('tar')
  })
})

test('a file that is larger than allowed, a folder and a missing file are refused', async () => {
  const file = await folder.write('some', 'x'.repeat(100))

  await expect(readInstaller(file, { ...limits, maxFileBytes: 50 })).rejects.toMatchObject({ code: 'tooLarge' })
  await expect(readInstaller(folder.path('.'))).rejects.toMatchObject({ code: 'notAFile' })
  await expect(readInstaller(folder.path('missing'))).rejects.toMatchObject({ code: 'notAFile' })
})
