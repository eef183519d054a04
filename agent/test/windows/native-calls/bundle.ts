import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import { npmFile } from '../../../../tools/package/npm-file.ts'
import { nativeModule } from '../../../../tools/package/windows-executable.ts'

/** Bundles the calls into a script for Node under Wine, with the native module in the same folder. */
export async function bundleNativeCalls(folder: string): Promise<string> {
  const modules = join(folder, 'koffi/win32_x64')
  await mkdir(modules, { recursive: true })
  await copyFile(await npmFile(nativeModule), join(modules, 'koffi.node'))
  const file = join(folder, 'native-calls.cjs')
  await build({
    input: join(import.meta.dirname, 'calls.ts'),
    platform: 'node',
    output: { file, format: 'cjs', codeSplitting: false, banner: 'process.resourcesPath = __dirname' },
    logLevel: 'warn',
  })
  return file
}
