import { stat } from 'node:fs/promises'
import { compareDottedVersions } from '@muster/text'
import { codeOf } from '../../expected-error.ts'
import type { Detection, RegistryQuery } from '../../platform/detection.ts'
import type { PackageDetection } from '../../protocol.ts'
import { findPrograms, type ProgramQuery } from './programs.ts'

type Expected = { version?: string; minVersion?: string; equals?: string }
type Compare = (one: string, other: string) => number | Promise<number>

/** Whether the software is installed, by a declared form. Throws if that cannot be determined. */
export async function isDetected(detection: Detection, declared: PackageDetection): Promise<boolean> {
  const { registry, file, msi, dpkg, rpm, program } = declared
  if (registry) return matches(registry, await answer('registry', detection.registryValue, toQuery(registry)))
  if (file) return isFileDetected(detection, file)
  if (msi) return matches(msi, await answer('msi', detection.msiProductVersion, msi.productCode))
  if (rpm) return matches(rpm, await answer('rpm', detection.rpmVersion, rpm.package), detection.compareRpmVersions)
  if (program) return isProgramDetected(detection, program)
  if (!dpkg) throw new Error('this version of the agent does not know its form')
  const installed = await answer('dpkg', detection.dpkgVersion, dpkg.package)
  return matches(dpkg, installed, detection.compareDpkgVersions)
}

/** Asks the platform, which has no such function if it does not have what the form is about. */
function answer<Q>(
  form: string,
  ask: ((query: Q) => Promise<string | undefined>) | undefined,
  query: Q,
): Promise<string | undefined> {
  if (!ask) throw new Error(`'${form}' does not exist on this operating system`)
  return ask(query)
}

async function isFileDetected(detection: Detection, file: { path: string } & Expected): Promise<boolean> {
  const path = detection.expandVariables(file.path)
  if (file.version === undefined && file.minVersion === undefined) return exists(path)
  return matches(file, await answer('version of a file', detection.fileVersion, path))
}

async function isProgramDetected(detection: Detection, program: ProgramQuery & Expected): Promise<boolean> {
  if (!detection.listPrograms) throw new Error("'program' does not exist on this operating system")
  const found = findPrograms(await detection.listPrograms(), program)
  const answers = await Promise.all(found.map(({ version }) => matches(program, version)))
  return answers.includes(true)
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}

async function matches(
  { version, minVersion, equals }: Expected,
  found: string | undefined,
  compare: Compare = compareDottedVersions,
): Promise<boolean> {
  if (found === undefined) return false
  if (equals !== undefined) return found === equals
  if (version !== undefined) return found !== '' && (await compare(found, version)) === 0
  return minVersion === undefined || (found !== '' && (await compare(found, minVersion)) >= 0)
}

function toQuery({ key, view, value }: NonNullable<PackageDetection['registry']>): RegistryQuery {
  const [, hive, path] = /^(HKLM|HKU)\\(.+)$/.exec(key) ?? []
  if (hive === undefined || path === undefined) throw new Error(`${key} is not a key of HKLM or HKU`)
  return { hive: hive as RegistryQuery['hive'], key: path, value: value ?? null, view }
}
