import { answerOf } from '@muster/client'
import type { WingetFile } from '@muster/installers/winget'
import { visibleLines } from '@muster/text'
import type { Call, Parameter } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import { acceptPackage, type ProposedPackage } from './proposed-package.ts'
import { sendFile, throwAsFailure } from './send-file.ts'
import { waitForImport } from './wait-for-import.ts'

/** Options for the installer of a winget manifest. */
export const wingetOptions: readonly Parameter[] = [
  ['--architecture <name>', 'winget: the installer for x64, x86, arm64 or arm; by default, the most common one'],
  ['--locale <tag>', 'winget: the language of the installer, such as de-DE'],
  ['--installer <file>', 'winget: the file that the manifest describes, if it is not beside it'],
]

/** A package of a winget manifest: converted here, or by the service from its mirror. */
export type WingetPackage = ProposedPackage & { url: string; sha256: string }

/** Whether this is a file of YAML, or a folder with some. */
export async function isWingetManifest(path: string): Promise<boolean> {
  if (/\.ya?ml$/i.test(path)) return true
  const { readdir } = await import('node:fs/promises')
  const names = await readdir(path).catch(() => [])
  return names.some((name) => name.endsWith('.yaml'))
}

/** Converts a manifest on this computer, and makes the package that the person accepts. */
export async function addWingetManifest(call: Call, path: string): Promise<void> {
  const { join } = await import('node:path')
  const { folder, names } = await findManifestFiles(path)
  const files = await Promise.all(names.map((name) => readManifestFile(join(folder, name), name)))
  const made = await convert(call, files)
  const { installer } = call.options
  const file = installer === undefined ? await findInstaller(folder, made) : String(installer)
  await addWingetPackage(call, path, made, file)
}

/** The folder of a manifest, and the names of its files. A version has a file for the installers, and some for texts. */
async function findManifestFiles(path: string): Promise<{ folder: string; names: string[] }> {
  const { basename, dirname, resolve } = await import('node:path')
  const { readdir, stat } = await import('node:fs/promises')
  const found = await stat(path).catch(throwAsFailure(path))
  const folder = found.isDirectory() ? path : dirname(resolve(path))
  const all = (await readdir(folder)).filter((name) => name.endsWith('.yaml'))
  if (found.isDirectory()) return { folder, names: all }
  const stem = basename(path).replace(/(\.installer|\.locale\.[\w-]+)?\.ya?ml$/i, '')
  const related = all.filter((name) => name === `${stem}.yaml` || name.startsWith(`${stem}.installer.`))
  const texts = all.filter((name) => name.startsWith(`${stem}.locale.`))
  return { folder, names: [...new Set([basename(path), ...related, ...texts])] }
}

async function readManifestFile(path: string, name: string): Promise<WingetFile> {
  const { readFile } = await import('node:fs/promises')
  return { name, content: await readFile(path, 'utf8').catch(throwAsFailure(path)) }
}

async function convert({ options, terminal }: Call, files: readonly WingetFile[]): Promise<WingetPackage> {
  // Loaded only here: other commands need none of it.
  const { convertWinget, readWingetManifest, WingetFault } = await import('@muster/installers/winget')
  const { architecture, locale } = options
  try {
    const manifest = readWingetManifest(files)
    const { packages, rest } = convertWinget(manifest, {
      ...(architecture !== undefined && { architecture: String(architecture) }),
      ...(locale !== undefined && { locale: String(locale) }),
    })
    const [first, ...others] = packages
    if (!first) throw personNeeded(manifest.identifier, rest)
    const also = others.map(({ origin }) => origin.architecture).join(', ')
    if (also !== '') terminal.note(`${visibleLines([`There are also installers for: ${also} (--architecture).`])}\n`)
    return { ...first, url: first.origin.url, sha256: first.origin.sha256 }
  } catch (error) {
    throw error instanceof WingetFault ? new CommandFailure(error.message) : error
  }
}

type Rest = readonly { architecture: string; text: string }[]

/** No installer of the manifest becomes a package by itself. */
export function personNeeded(identifier: string, rest: Rest): CommandFailure {
  const reasons = [...new Set(rest.map(({ architecture, text }) => `${architecture}: ${text}`))]
  const shown = reasons.length > 0 ? reasons.join(' ') : 'It has no installer for this choice.'
  return new CommandFailure(visibleLines([`${identifier} needs a person. ${shown}`]))
}

/** A file beside the manifest with the hash that it states. Names do not matter: browsers change them. */
async function findInstaller(folder: string, { sha256 }: WingetPackage): Promise<string | undefined> {
  const { readdir } = await import('node:fs/promises')
  const { join } = await import('node:path')
  const entries = await readdir(folder, { withFileTypes: true })
  const candidates = entries.filter((entry) => entry.isFile() && /\.(exe|msi|zip)$/i.test(entry.name))
  for (const { name } of candidates) if ((await hashFile(join(folder, name))) === sha256) return join(folder, name)
  return undefined
}

async function hashFile(path: string): Promise<string> {
  const { createReadStream } = await import('node:fs')
  const { createHash } = await import('node:crypto')
  const { pipeline } = await import('node:stream/promises')
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash).catch(throwAsFailure(path))
  return hash.digest('hex')
}

/** Makes the package: of a file of this computer, or of what the service downloads. */
export async function addWingetPackage(
  call: Call,
  subject: string,
  made: WingetPackage,
  file: string | undefined,
): Promise<void> {
  if (file !== undefined && (await hashFile(file)) !== made.sha256)
    throw new CommandFailure(`${file} is not the file of the manifest: its SHA-256 is another one.`)
  const content = await acceptPackage(call, subject, made)
  const trackingId = await (file === undefined ? requestDownload(call, made, content) : upload(call, file, content))
  const job = await waitForImport(call, trackingId)
  if (job.status === 'Failed') throw new CommandFailure(`The import of ${subject} failed: ${job.message}`)
  call.output.result(job, `${subject} was imported: package ${job.packageId}`)
}

type Content = Awaited<ReturnType<typeof acceptPackage>>

async function requestDownload({ client, options, terminal }: Call, made: WingetPackage, content: Content) {
  const { url, sha256 } = made
  terminal.note(`${visibleLines([`The service downloads ${url}.`])}\n`)
  const body = { url, sha256, ...content, overwrite: options.overwrite === true }
  return (await answerOf(client.POST('/api/packages/from-url', { body }))).trackingId
}

async function upload(call: Call, file: string, content: Content) {
  const { id } = await sendFile(call, file)
  const body = { ...content, overwrite: call.options.overwrite === true }
  const sent = call.client.POST('/api/package-uploads/{id}/package', { params: { path: { id } }, body })
  return (await answerOf(sent)).trackingId
}
