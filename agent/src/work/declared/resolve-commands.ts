import { join } from 'node:path'
import { messageOf } from '../../expected-error.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WorkDeclaration } from '../../protocol.ts'
import type { ResolvedCommands } from './declaration.ts'
import { isDetected } from './detect-declared.ts'

type Msi = NonNullable<WorkDeclaration['msi']>

/** What the commands of a package are on this computer, or why the package cannot be used here. */
export async function resolveCommands(
  platform: Platform,
  { msi, commands }: WorkDeclaration,
  folder: string,
): Promise<ResolvedCommands | string> {
  try {
    const resolved = { ...(msi && (await msiCommands(platform, msi, folder))), ...commands }
    // Before any command: what cannot be detected afterwards is not installed.
    if (resolved.detect && isDeclaredForm(resolved.detect)) await isDetected(platform.detection, resolved.detect)
    return resolved
  } catch (error) {
    return `The package cannot be used on this computer, which runs ${platform.name}: ${messageOf(error)}.`
  }
}

export function isDeclaredForm({ argv, shell }: { argv?: unknown; shell?: unknown }): boolean {
  return argv === undefined && shell === undefined
}

/** Beside the files of the package. The log of an earlier command is not needed any more. */
const logName = 'muster-msi.log'
const rebootCodes = [3010, 1641]
/** The product is not installed, or is being removed. */
const alreadyRemovedCodes = [1605, 1614]

/** The commands for an MSI file, and its product code as the way to find it. */
async function msiCommands({ detection }: Platform, msi: Msi, folder: string): Promise<ResolvedCommands> {
  if (!detection.readMsiFile || !detection.msiProductVersion)
    throw new Error("'msi' does not exist on this operating system")
  const { productCode, version } = await detection.readMsiFile(join(folder, msi.file))
  const isInstalled = (await detection.msiProductVersion(productCode)) !== undefined
  const { timeLimitMinutes } = msi
  const msiLog = join(folder, logName)
  const run = (line: string, successCodes: number[]) => ({
    shell: `${line} /qn /norestart /l*v ${logName}`,
    timeLimitMinutes,
    successCodes,
    rebootCodes,
    msiLog,
  })
  const properties = Object.entries(msi.properties).map(([name, value]) => `${name}="${value}"`)
  // Without these, Windows Installer refuses another version of a product that has kept its product code.
  const again = isInstalled ? ['REINSTALL=ALL', 'REINSTALLMODE=vomus'] : []
  const file = `"${msi.file.replaceAll('/', '\\')}"`
  const install = run(['msiexec', '/i', file, ...again, ...properties].join(' '), [0])
  return {
    install,
    update: install,
    uninstall: run(`msiexec /x ${productCode}`, [0, ...alreadyRemovedCodes]),
    detect: { msi: { productCode, minVersion: version }, timeLimitMinutes, successCodes: [0], rebootCodes: [] },
  }
}
