import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import description from '../../agent/package.json' with { type: 'json' }
import { readBundledPackages } from '../bundled-packages.ts'
import { bundleAgent } from './agent-bundle.ts'
import { describeNode, npmComponents, npmFileComponent } from './components.ts'
import { npmFile } from './npm-file.ts'
import type { BuildPackages } from './product.ts'
import { run, sourceDate } from './run.ts'
import { writeSbom } from './sbom.ts'
import { buildWindowsExecutable, nativeModule, nodeForWindows } from './windows-executable.ts'
import { buildMsi } from './windows-msi.ts'

export type WindowsAgent = { executable: string; installer: string }

/** Builds the agent for Windows as one file, and its installer. */
export async function buildInstaller(folder: string, version: string): Promise<WindowsAgent> {
  const executable = join(folder, 'muster-agent.exe')
  const installer = join(folder, 'muster-agent.msi')
  const bundle = await bundleAgent(folder, 'win32', version)
  await buildWindowsExecutable(bundle, executable)
  await rm(bundle)
  const builtAt = await sourceDate()
  await buildMsi(installer, { executable, nativeModule: await npmFile(nativeModule), version, builtAt })
  return { executable, installer }
}

/** Why this machine cannot build it, if so. */
export async function windowsAgentObstacle(): Promise<string | undefined> {
  if (process.arch !== 'x64') return 'it is built on x64 only'
  const isMissing = (program: string) =>
    run(program, ['--version']).then(
      () => false,
      // msibuild knows no such option, and fails when it exists.
      ({ code }: { code?: unknown }) => code === 'ENOENT',
    )
  if ((await isMissing('wixl')) || (await isMissing('msibuild')))
    return 'it needs wixl and msitools (apt install wixl msitools)'
}

/** The installer, the program in it, and the package of Muster with which agents are installed and update themselves. */
export const packageWindowsAgent: BuildPackages = async (folder) => {
  const version = process.env.MUSTER_PACKAGE_VERSION ?? description.version
  const { executable, installer } = await buildInstaller(folder, version)
  const storePackage = join(folder, `muster-agent-windows-${version}`)
  await rm(storePackage, { recursive: true, force: true })
  await mkdir(storePackage)
  const [archive, msi] = [gzipSync(await readFile(executable)), await readFile(installer)]
  for (const [name, content] of Object.entries(storeFiles(version, archive, msi)))
    await writeFile(join(storePackage, name), content)
  const sbom = await writeSbom(executable, { name: 'muster-agent', version }, [
    ...npmComponents(await readBundledPackages('agent-win32')),
    npmFileComponent(nativeModule),
    describeNode(nodeForWindows.version, nodeForWindows.sha256),
  ])
  return [executable, installer, storePackage, sbom]
}

/** The files of the package: the compressed program updates agents, and the service offers the installer to new computers. */
export function storeFiles(version: string, archive: Buffer, installer?: Buffer): Record<string, string | Buffer> {
  const update = { argv: ['muster-agent', 'self-update', '.'], timeLimitMinutes: 15 }
  const manifest = {
    name: 'muster-agent-windows',
    version,
    displayName: 'Muster agent for Windows',
    operatingSystems: ['Windows'],
    kind: 'software',
    commands: { install: update, update, detect: { argv: ['muster-agent', 'is-version'] } },
  }
  return {
    'muster-package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'muster-agent-windows-x64.exe.gz': archive,
    ...(installer && { 'muster-agent.msi': installer }),
  }
}
