import { basename } from 'node:path'
import { readTar, readZip } from './archive/read-archive.ts'
import { findMsix } from './archive/read-msix.ts'
import { isTarBlock } from './archive/tar.ts'
import { findCompression } from './archive/unpack.ts'
import { readExe } from './exe/read-exe.ts'
import type { FormatFacts, InstallerFacts } from './facts.ts'
import { InstallerFault, toInstallerFault } from './installer-fault.ts'
import { defaultInstallerLimits, type InstallerLimits } from './limits.ts'
import { archiveSignature, readDeb } from './linux/read-deb.ts'
import { readElf } from './linux/read-elf.ts'
import { readRpm, rpmSignature } from './linux/read-rpm.ts'
import { findScript } from './linux/read-script.ts'
import { compoundFileSignature } from './msi/compound-file.ts'
import { readMsi } from './msi/read-msi.ts'
import { type InstallerFile, openInstallerFile, readUpTo } from './source.ts'
import { toLine } from './texts.ts'

/**
 * Reads what an installer says about itself. The content decides about the format, not the name. Throws an InstallerFault, and
 * nothing else. Hostile files can still make it need time and memory up to the limits: a service reads them in a thread. `fileName` is
 * the name that the vendor gave to the file, if the path has another one.
 */
export async function readInstaller(
  path: string,
  limits: InstallerLimits = defaultInstallerLimits,
  fileName: string = basename(path),
): Promise<InstallerFacts> {
  const file = await openInstallerFile(path, limits)
  try {
    return { ...(await readFormat(file, fileName)), fileName: toLine(fileName, 255), fileBytes: file.size }
  } catch (error) {
    throw toInstallerFault(error)
  } finally {
    await file.close()
  }
}

const startBytes = 512
/** Of the first file, or of the end of an archive without files. */
const zipSignatures = ['PK\x03\x04', 'PK\x05\x06']

async function readFormat(file: InstallerFile, fileName: string): Promise<FormatFacts> {
  const start = await readUpTo(file, 0, startBytes)
  const text = start.toString('latin1')
  if (start.subarray(0, 8).equals(compoundFileSignature)) return readMsi(file)
  if (text.startsWith('MZ')) return readExe(file)
  if (text.startsWith(archiveSignature)) return readDeb(file)
  if (start.subarray(0, 4).equals(rpmSignature)) return readRpm(file)
  if (text.startsWith('\x7fELF')) return readElf(file)
  if (zipSignatures.some((signature) => text.startsWith(signature))) return (await findMsix(file)) ?? readZip(file)
  if (isTarBlock(start) || findCompression(start) !== undefined) return readTar(file)
  const script = await findScript(file, fileName)
  if (script) return script
  throw new InstallerFault('unknownFormat', 'The file has none of the formats that can be read.')
}
