import { join } from 'node:path'
import { build } from 'rolldown'

const entry = join(import.meta.dirname, '../../agent/src/main.ts')

/** Bundles the agent into one script. It is CommonJS, because a single executable starts nothing else. */
export async function bundleAgent(folder: string): Promise<string> {
  const file = join(folder, 'muster-agent.cjs')
  await build({
    input: entry,
    platform: 'node',
    output: { file, format: 'cjs', minify: true, codeSplitting: false },
    logLevel: 'warn',
  })
  return file
}
