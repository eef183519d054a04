import { join } from 'node:path'
import { build } from 'rolldown'
import description from '../../agent/package.json' with { type: 'json' }
import { recordPackages } from '../bundled-packages.ts'

const agent = join(import.meta.dirname, '../../agent')

export type AgentPlatform = 'linux' | 'win32'

/**
 * Bundles the agent for one operating system into one script, without the code for others. It is CommonJS, because a single
 * executable starts nothing else.
 */
export async function bundleAgent(
  folder: string,
  operatingSystem: AgentPlatform,
  version = description.version,
): Promise<string> {
  const file = join(folder, 'muster-agent.cjs')
  await build({
    input: join(agent, 'src/main.ts'),
    platform: 'node',
    plugins: [withVersion(version), recordPackages(`agent-${operatingSystem}`)],
    transform: { define: { 'process.platform': JSON.stringify(operatingSystem) } },
    output: { file, format: 'cjs', minify: true, codeSplitting: false },
    logLevel: 'warn',
  })
  return file
}

/** The agent reads its version from its package.json. */
const withVersion = (version: string) => ({
  name: 'agent-version',
  load: (id: string) => (id === join(agent, 'package.json') ? JSON.stringify({ ...description, version }) : undefined),
})
