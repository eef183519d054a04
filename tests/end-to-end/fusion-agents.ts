import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../../server/test/database/embedded-postgres/muster.ts'
import { installDebianPackages } from '../../tools/debian-packages.ts'

const program = '/usr/bin/fusioninventory-agent'

/** Installs the agent if it is missing. Returns the reason if that fails. */
function install(): string | undefined {
  const isInstalled = () =>
    existsSync(program) && existsSync('/usr/share/fusioninventory/lib/FusionInventory/Agent/Task/Deploy.pm')
  // Also if it is installed: another worker may be installing other packages right now.
  const reason = installDebianPackages()
  return isInstalled() ? undefined : (reason ?? 'it is missing after its installation')
}

/** Why the agent is not available; undefined if it is. */
export const missingAgent = install()

/** Part of the names of tests: a test report shows why they did not run. */
export const fusionAgentLabel =
  missingAgent === undefined
    ? 'the real agent of FusionInventory'
    : `the agent of FusionInventory: NOT RUN, ${missingAgent}`

if (missingAgent !== undefined)
  console.error(`\n!!! The tests with the real agent of FusionInventory do not run: ${missingAgent}.\n`)

/** The agent from Debian, with its own state and its own folder for what packages install. */
export async function fusionAgent(server: string) {
  const folder = await temporaryFolder()
  const root = join(folder, 'root')
  // The Debian package defines the folder of the state in a module. This module replaces it.
  const state = join(folder, 'state')
  await mkdir(state)
  await writeFile(join(folder, 'setup.pm'), setupModule(state))
  const options = ['--config=none', '--no-httpd', '--logger=stderr', '--debug']
  return {
    root,
    /** The inventory that the agent writes to a file. */
    async inventory(): Promise<string> {
      const local = join(folder, 'inventory')
      await mkdir(local)
      await start([`--local=${local}`, '--tasks=inventory'])
      const [file = ''] = await readdir(local)
      return readFile(join(local, file), 'utf8')
    },
    /** Runs the agent once: it reports, carries out due work and exits. Returns its log. */
    run: (...more: string[]) => start([`--server=${server}`, ...more]),
  }

  async function start(more: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MUSTER_EXAMPLE_ROOT: root }
    const child = spawn('perl', [`-I${folder}`, '-Msetup', program, ...options, ...more], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    const code = await new Promise((resolve) => child.once('close', resolve))
    if (code !== 0) throw new Error(`The agent ended with ${code}:\n${output}`)
    return output
  }
}

function setupModule(state: string): string {
  const shared = '/usr/share/fusioninventory'
  return [
    'package setup;',
    'use parent qw(Exporter);',
    "our @EXPORT = ('%setup');",
    `our %setup = (datadir => '${shared}', libdir => '${shared}/lib', vardir => '${state}');`,
    '1;',
    '',
  ].join('\n')
}
