import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import { recordPackages } from '../../tools/bundled-packages.ts'

/** Bundles the command into one script that needs nothing but Node. It is CommonJS, as single executables require. */
export async function buildCommand(file: string): Promise<string> {
  await build({
    input: join(import.meta.dirname, '../src/main.ts'),
    platform: 'node',
    plugins: [recordPackages('cli')],
    output: { file, format: 'cjs', minify: true, codeSplitting: false },
    logLevel: 'warn',
  })
  await chmod(file, 0o755)
  return file
}

if (import.meta.main) console.log(await buildCommand('artifacts/cli/muster.cjs'))
