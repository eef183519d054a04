import { type TarEntry, tarEntries } from '../archive/tar.ts'
import type { DebFacts, InstallerScript } from '../facts.ts'
import { damaged } from '../installer-fault.ts'
import { partOf, type Source } from '../source.ts'
import { toLine, toLineOrNothing, toLines, toScript } from '../texts.ts'

export const archiveSignature = '!<arch>\n'
const memberHeaderBytes = 60
/** The control archive is the second member. Others may precede it, but not many. */
const maxMembers = 10
const maxControlBytes = 1024 * 1024
const maxScriptBytes = 1024 * 1024
const maxControlEntries = 1_000
const maxDependencies = 500
const scriptNames = ['preinst', 'postinst', 'prerm', 'postrm', 'config']

/** The facts of a package of Debian: an ar archive with a tar archive that describes the package. */
export async function readDeb(source: Source): Promise<DebFacts> {
  const { control, scripts } = await readControl(await findControlArchive(source))
  const fields = parseControl(control)
  const [name, version, architecture] = ['package', 'version', 'architecture'].map((field) =>
    toLine(fields.get(field) ?? '', 200),
  ) as [string, string, string]
  if (!/^[a-z0-9][a-z0-9+.-]+$/.test(name)) throw damaged('it names no valid package')
  if (!/^\w[\w.+:~-]{0,99}$/.test(version)) throw damaged('it has no valid version')
  if (!/^[a-z0-9][a-z0-9-]{0,49}$/.test(architecture)) throw damaged('it has no valid architecture')
  const maintainer = toLineOrNothing(fields.get('maintainer'))
  const description = toLines(fields.get('description') ?? '')
  return {
    format: 'deb',
    ...{ name, version, architecture },
    ...(maintainer !== undefined && { maintainer }),
    ...(description !== '' && { description }),
    dependencies: ['pre-depends', 'depends'].flatMap((field) => splitDependencies(fields.get(field))),
    scripts,
  }
}

async function findControlArchive(source: Source): Promise<Source> {
  let position = archiveSignature.length
  for (let count = 0; count < maxMembers; count++) {
    const header = (await source.read(position, memberHeaderBytes)).toString('latin1')
    const [name, size] = [header.slice(0, 16).trim().replace(/\/$/, ''), Number(header.slice(48, 58).trim())]
    if (!header.endsWith('`\n') || !Number.isSafeInteger(size) || size < 0)
      throw damaged('a member has no valid header')
    const start = position + memberHeaderBytes
    if (/^control\.tar(\.(gz|xz|zst))?$/.test(name)) return partOf(source, start, size)
    // Members begin at even positions.
    position = start + size + (size % 2)
  }
  throw damaged('it has no control archive')
}

async function readControl(archive: Source): Promise<{ control: string; scripts: InstallerScript[] }> {
  let control: string | undefined
  // Of several entries with one name, dpkg keeps the last.
  const scripts = new Map<string, InstallerScript>()
  let count = 0
  for await (const entry of tarEntries(archive)) {
    if (++count > maxControlEntries) throw damaged('its control archive has too many entries')
    const name = entry.name.replace(/^\.\//, '')
    if (name === 'control' && entry.isFile) control = (await entry.read(maxControlBytes)).toString('utf8')
    if (scriptNames.includes(name)) scripts.set(name, await readScript(name, entry))
  }
  if (control === undefined) throw damaged('its control archive has no control file')
  return { control, scripts: [...scripts.values()] }
}

/** A script may be any program, of any size. */
async function readScript(name: string, entry: TarEntry): Promise<InstallerScript> {
  const isReadable = entry.isFile && entry.bytes <= maxScriptBytes
  return toScript(name, isReadable ? await entry.read(maxScriptBytes) : undefined)
}

/** Fields as in the header of a mail: a line that begins with a space continues the field before it. */
function parseControl(control: string): Map<string, string> {
  const fields = new Map<string, string>()
  let current: string | undefined
  for (const line of control.split('\n')) {
    const [, field, value = ''] = /^([A-Za-z][\w-]*):(.*)$/.exec(line) ?? []
    if (field !== undefined) {
      current = field.toLowerCase()
      fields.set(current, value.trim())
    } else if (current !== undefined && /^[ \t]/.test(line)) {
      const text = line.trim() === '.' ? '' : line.trim()
      fields.set(current, `${fields.get(current)}\n${text}`)
    }
  }
  return fields
}

function splitDependencies(field = ''): string[] {
  return field
    .split(',')
    .slice(0, maxDependencies)
    .flatMap((one) => toLineOrNothing(one, 500) ?? [])
}
