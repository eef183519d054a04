import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import description from '../../agent/package.json' with { type: 'json' }
import { bundleAgent } from './agent-bundle.ts'
import { npmFile } from './npm-file.ts'
import type { BuildPackages } from './product.ts'
import { buildWindowsExecutable, nativeModule } from './windows-executable.ts'
import { buildMsi } from './windows-msi.ts'

export type WindowsAgent = { executable: string; installer: string }

/** Builds the agent for Windows as one file, and its installer. */
export async function buildInstaller(folder: string, version: string): Promise<WindowsAgent> {
  const executable = join(folder, 'muster-agent.exe')
  const installer = join(folder, 'muster-agent.msi')
  const bundle = await bundleAgent(folder, version)
  await buildWindowsExecutable(bundle, executable)
  await rm(bundle)
  await buildMsi(installer, { executable, nativeModule: await npmFile(nativeModule), version })
  return { executable, installer }
}

export const packageWindowsAgent: BuildPackages = async (folder) =>
  Object.values(await buildInstaller(folder, description.version))
